// One run of one small program under the naive jitter: see `scripts/rates --naive`. The environment
// variable NAIVE_SEED is its seed.
import CBenchNaive
import Foundation
import ThreadmillBenchPorts

bench_naive_begin(ProcessInfo.processInfo.environment["NAIVE_SEED"].flatMap(UInt64.init) ?? 1)
Port.runOnce()
