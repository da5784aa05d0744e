/// What others needed for programs of the same kind: the medians of 20 trials of up to 300 seconds,
/// computed from the data that belong to D. Wolff, Z. Shi, G. J. Duck, U. Mathur, A. Roychoudhury,
/// "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024. Theirs are whole programs, with points
/// at racing accesses; ours are written from descriptions, and not the same ones.
struct Published {
  /// Of SCTBench.
  let program: String
  /// `nil`: at most half of the trials found anything.
  let pos: Double?
  /// With a depth of 3.
  let pct3: Double?
  /// Reads-from fuzzing.
  let rff: Double?
  let period: Double?

  private init(
    _ program: String, _ pos: Double?, _ pct3: Double?, _ rff: Double?, _ period: Double?
  ) {
    (self.program, self.pos, self.pct3, self.rff, self.period) = (program, pos, pct3, rff, period)
  }

  /// The medians, by the names of the strategies.
  var figures: [String: Double?] { ["pos": pos, "pct3": pct3, "rff": rff, "period": period] }

  /// By the names of our programs.
  static let all: [String: Published] = [
    "reorder-3": Published("CS/reorder_3", 163.5, 124, 5.5, 6),
    "reorder-4": Published("CS/reorder_4", 641.5, 314, 5, 9),
    "reorder-5": Published("CS/reorder_5", 4_280, 953.5, 5, 12),
    "reorder-10": Published("CS/reorder_10", nil, 1_567.5, 5, 27),
    "reorder-20": Published("CS/reorder_20", nil, 1_304, 5, 39),
    "reorder-50": Published("CS/reorder_50", nil, nil, 5, 129),
    "two-stage": Published("CS/twostage", 9, 7, 6, 4),
    "two-stage-20": Published("CS/twostage_20", 162.5, 145.5, 18, 76),
    "two-stage-50": Published("CS/twostage_50", 1_696, 684, 32, 286),
    "two-stage-100": Published("CS/twostage_100", nil, nil, 25, 690),
    "wrong-lock-3": Published("CS/wronglock_3", 1, 32.5, 1, 6),
    "wrong-lock-7": Published("CS/wronglock", 1, 49, 1, 4),
    "account": Published("CS/account", 1, 6, 1, 10),
    "deadlock": Published("CS/deadlock01", 4, 15.5, 4, 3),
    "two-counts": Published("CS/carter01", 2, 4.5, 1, 5),
    "lazy": Published("CS/lazy01", 4.5, 10, 5, 8),
    "bluetooth": Published("CS/bluetooth_driver", 42, 111, 45, 9),
    "token-ring": Published("CS/token_ring", 5, 5.5, 3.5, 2),
    "circular-buffer": Published("CS/circular_buffer", 1, 4, 1, 3),
    "queue": Published("CS/queue", 1, 6.5, 1, 3.5),
    "stack": Published("CS/stack", 1, 2, 1, 8),
    "safe-stack": Published("SafeStack", nil, nil, nil, nil),
    "work-stealing": Published("Chess/WorkStealQueue", 9, 7.5, 8, 57),
    "interlocked-stealing": Published("Chess/InterlockedWorkStealQueue", 1, 30, 1, 57),
    "bounded-buffer": Published("Inspect_benchmarks/boundedBuffer", 4.5, 7, 5, 6),
    "string-buffer": Published("CB/stringbuffer-jdk1.4", 7.5, 146.5, 7.5, 12),
  ]
}
