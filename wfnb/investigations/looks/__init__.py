"""what is named -> what there is to see of it, and what is counted for a step."""
