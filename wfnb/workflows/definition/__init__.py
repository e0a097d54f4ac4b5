"""What a workflow definition is: its models, what can be known of it before it runs, its language
of placeholders and conditions. Pure: no disk, no clock, no tools."""
