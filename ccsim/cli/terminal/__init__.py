"""What a terminal shows: tables that fit its width, and progress that vanishes; drawn by rich."""
