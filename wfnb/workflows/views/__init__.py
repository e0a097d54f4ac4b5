"""run -> what is shown of it: its result, report, graph, timeline, progress; two runs -> how they
differ; a workflow -> what it would do."""
