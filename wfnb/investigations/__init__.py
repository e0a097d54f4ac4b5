"""an investigation and the world outside of it: repositories, files, and those who are asked."""
