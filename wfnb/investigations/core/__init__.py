"""The rules of investigations; pure."""
