#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  /// The gate's director, which knows no strategy. A superclass, because the gate's calls come
  /// without types, and one at every step.
  package class Director {
    private let steps: Int
    private let patience: Int
    private let doubts: Bool
    /// Whether atomic variables are those of a memory model.
    private let isWeak: Bool

    /// Looks at each choice of the schedule that runs: the offers, who made the last step, who was
    /// chosen, and how many steps were made. Returns another choice, or `nil` to end the schedule
    /// as one without end. Used by whoever has the turn.
    package typealias Attention = (
      UnsafeBufferPointer<Offer>, _ running: Int?, _ chosen: Int, _ made: Int
    ) -> Int?
    package var attention: Attention?

    /// The choice that ends a schedule.
    static let none = Int(UInt32.max)
    /// The choice to be asked again, because time has passed.
    static let again = none - 1

    init(steps: Int, patience: Int, doubts: Bool, isWeak: Bool) {
      (self.steps, self.patience, self.doubts) = (steps, patience, doubts)
      self.isWeak = isWeak
    }

    /// Whether there is another schedule.
    func begin() -> Bool { false }
    /// Starts the body.
    func launch() {}
    /// Who makes the next step.
    func choose(among enabled: UnsafeBufferPointer<Offer>, running: Int?) -> Int { 0 }
    /// Returns whether the access is made, and the machine must not make it.
    func access(_ atomic: inout tm_atomic) -> Bool { false }
    func order(_ ordering: tm_ordering, by strand: UInt32) {}
    func fence(_ order: Int32, by strand: UInt32) {}
    func forget(_ addresses: Range<UInt>) {}
    /// The schedule has too many steps: what its strands do from now on is of no schedule.
    func cut() {}
    func end(_ result: tm_schedule_result) {}
    /// After the last one, while other explorations wait yet.
    func over() {}

    /// Runs until there is no other schedule, or it was enough. Other explorations wait until then.
    ///
    /// - Returns: whether that could be done: not within an exploration, and not where nothing is
    ///   watched.
    package func run() -> Bool {
      var director = image { Director.with($0) { $0.launch() } }
      return withExtendedLifetime(self) { tm_control(&director) }
    }

    /// Runs the rest of the process under one schedule. Returns when the calling main thread has
    /// its first turn, or `false` if that cannot be done.
    package func exploreProgram() -> Bool {
      let director = UnsafeMutablePointer<tm_director>.allocate(capacity: 1)
      var own = image { _ in tm_program_launch() }
      // Each schedule of a program has a process of its own.
      own.cut = nil
      director.initialize(to: own)
      // The process ends before they do.
      _ = Unmanaged.passRetained(self)
      return tm_program_explore(director)
    }

    /// The gate's view of it, for as long as it lives.
    private func image(
      launch: @convention(c) @escaping (UnsafeMutableRawPointer?) -> Void
    ) -> tm_director {
      precondition(Offer.isImageOfTheGates, "Threadmill internal error: layout of offers")
      return tm_director(
        context: Unmanaged.passUnretained(self).toOpaque(), steps: UInt64(steps),
        patience: UInt32(patience), doubts: doubts, sees_accesses: Gate.seesAtomics,
        begin: { Director.with($0) { $0.begin() } },
        launch: launch,
        choose: { context, offers, count, running in
          let enabled = UnsafeBufferPointer(
            start: UnsafeRawPointer(offers)?.assumingMemoryBound(to: Offer.self),
            count: Int(count))
          return Director.with(context) {
            UInt32($0.choose(among: enabled, running: running < 0 ? nil : Int(running)))
          }
        },
        access: isWeak
          ? { context, atomic in
            guard let atomic else { return false }
            return Director.with(context) { $0.access(&atomic.pointee) }
          } : nil,
        order: { context, strand, ordering in
          Director.with(context) { $0.order(ordering, by: strand) }
        },
        fence: { context, strand, order in
          Director.with(context) { $0.fence(order, by: strand) }
        },
        forget: { context, address, size in
          let end = address.addingReportingOverflow(UInt(size))
          Director.with(context) { $0.forget(address..<(end.overflow ? .max : end.partialValue)) }
        },
        cut: { context in Director.with(context) { $0.cut() } },
        ended: { context, result in
          if let result { Director.with(context) { $0.end(result.pointee) } }
        },
        over: { Director.with($0) { $0.over() } })
    }

    /// `run` keeps it alive.
    @inline(__always)
    private static func with<Result>(
      _ context: UnsafeMutableRawPointer?, _ body: (Director) -> Result
    ) -> Result {
      guard let context else { preconditionFailure("Threadmill internal error: no director") }
      return Unmanaged<Director>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
  }

  extension Offer {
    /// Whether the gate writes offers down as they are here.
    static let isImageOfTheGates =
      MemoryLayout<Offer>.stride == MemoryLayout<tm_offer>.stride
      && MemoryLayout<Offer>.offset(of: \.object) == MemoryLayout<tm_offer>.offset(of: \.object)
      && MemoryLayout<Offer>.offset(of: \.strand) == MemoryLayout<tm_offer>.offset(of: \.flow)
      && MemoryLayout<Offer>.offset(of: \.operation) == MemoryLayout<tm_offer>.offset(of: \.kind)
      && MemoryLayout<Offer>.offset(of: \.writes) == MemoryLayout<tm_offer>.offset(of: \.writes)
      && MemoryLayout<Offer>.offset(of: \.lines) == MemoryLayout<tm_offer>.offset(of: \.lines)
      && MemoryLayout<Offer>.offset(of: \.place) == MemoryLayout<tm_offer>.offset(of: \.place)
  }
#endif
