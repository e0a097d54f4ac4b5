"""What code does to names, and what these hold: the reads, writes and versions that ✓ rests on."""
