"""an investigation -> what is shown of it."""
