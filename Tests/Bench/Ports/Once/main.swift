// One run of one small program, as the system schedules it: see `scripts/rates --naive`.
import ThreadmillBenchPorts

Port.runOnce()
