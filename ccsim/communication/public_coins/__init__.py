"""The least error of protocols with public coins: a matrix game over partitions."""
