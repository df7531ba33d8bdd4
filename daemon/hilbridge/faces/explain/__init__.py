"""Why a lamp of the cluster shines, and a needle rests: what the cluster hears, says and answers."""
