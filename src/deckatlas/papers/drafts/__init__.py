"""What reports on draft policies of Legends of Code and Magic share: who meets whom, and the games they play."""
