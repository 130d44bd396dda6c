"""The minimax error of protocols with public coins: a matrix game over partitions."""
