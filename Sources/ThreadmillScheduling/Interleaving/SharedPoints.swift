import ThreadmillModel

/// Which accesses to memory matter to the order of a program's steps: those to what several strands
/// use, at least one of which changes it, unless one lock guards all of them. At any other access
/// whoever is about to make it goes on.
///
/// It is learnt from every schedule, by the places of the accesses. A place that was not seen in an
/// earlier schedule matters; so does an access to what turns out to be shared in the midst of one.
/// Nothing is lost by going on: two accesses that no other strand's can come between may change
/// places with everything that others can do meanwhile. Once nothing new is learnt, each order of
/// the steps that cannot do so is still there.
///
/// C. Flanagan, S. Qadeer, "Transactions for Software Model Checking", SoftMC 2003, for the locks;
/// S. Savage et al., "Eraser: A Dynamic Data Race Detector for Multithreaded Programs", SOSP 1997,
/// for the way to know them.
struct SharedPoints: Sendable {
  private enum Place: UInt8 {
    case unknown
    case quiet
    case shared
  }

  /// What the strands of this schedule have done to an object.
  struct Use: Sendable {
    /// By number and one more; 0 for none yet.
    var strand: UInt32 = 0
    var hasSeveral = false
    var isChanged = false
    /// Those that were held at each use.
    var locks = ~HeldLocks.Set(0)

    var isShared: Bool { hasSeveral && isChanged && locks == 0 }

    /// - Parameter held: the locks under which the step is made.
    mutating func note(_ step: Offer, under held: HeldLocks.Set) {
      hasSeveral = hasSeveral || strand != 0 && strand != step.strand + 1
      isChanged = isChanged || step.writes
      locks &= held
      strand = step.strand + 1
    }
  }

  /// By the number of a place.
  private var places: [Place] = []
  private var uses = PerStrand(Use())
  private var locks = HeldLocks()
  /// The steps of this schedule that have an object, in order.
  private(set) var log: [Offer] = []
  /// As long as there is one strand, whatever it does comes before all others.
  private var isAlone = true

  mutating func begin() {
    uses.reset()
    locks.reset()
    log.removeAll(keepingCapacity: true)
    isAlone = true
  }

  /// Whether it makes no difference when the step is made.
  @inline(__always)
  func isQuiet(_ step: Offer) -> Bool {
    guard step.operation.isAccess, step.place < places.count, places[Int(step.place)] == .quiet
    else { return false }
    var use = use(of: step.object)
    use.note(step, under: locks.held(at: step))
    return !use.isShared
  }

  /// Takes a step that is about to be made.
  @inline(__always)
  mutating func note(_ step: Offer, among count: Int) {
    if isAlone && count > 1 { isAlone = false }
    guard step.object != 0, step.operation != .goOn else { return }
    locks.note(step)
    if isAlone { return }
    let held = step.operation.isAccess ? locks.held(at: step) : 0
    uses[UInt32(truncatingIfNeeded: step.object)].note(step, under: held)
    log.append(step)
  }

  /// What was done to an object of this schedule.
  @inline(__always)
  func use(of object: UInt64) -> Use { uses.value(UInt32(truncatingIfNeeded: object)) }

  /// The schedule is over: learns from it.
  mutating func learn() {
    for step in log where step.operation.isAccess {
      let place = Int(step.place)
      if place >= places.count {
        places += Array(repeating: .unknown, count: place + 1 - places.count)
      }
      if places[place] == .shared { continue }
      let isShared = place == 0 || use(of: step.object).isShared
      places[place] = isShared ? .shared : .quiet
    }
  }
}

/// The locks that the strands of a schedule hold.
struct HeldLocks: Sendable {
  /// A bit for each of the first locks of a schedule; further ones guard nothing.
  typealias Set = UInt64

  private struct Strand: Sendable {
    var exclusive: Set = 0
    var shared: Set = 0
  }

  private var strands = PerStrand(Strand())
  /// By object: the lock's number and one more.
  private var numbers = PerStrand<UInt8>(0)
  private var count: UInt8 = 0
  /// Held by some strand, exclusively.
  private var taken: Set = 0
  /// Which strands hold cannot be told: an attempt to take one may have ended without it.
  private var doubtful: Set = 0

  mutating func reset() {
    strands.reset()
    numbers.reset()
    (count, taken, doubtful) = (0, 0, 0)
  }

  /// The locks that guard an access.
  func held(at step: Offer) -> Set {
    let strand = strands.value(step.strand)
    return (step.writes ? strand.exclusive : strand.exclusive | strand.shared) & ~doubtful
  }

  mutating func note(_ step: Offer) {
    switch step.operation {
    case .lock:
      let lock = bit(of: step.object)
      if taken & lock != 0 { doubtful |= lock }
      taken |= lock
      strands[step.strand].exclusive |= lock
    case .share: strands[step.strand].shared |= bit(of: step.object)
    case .unlock:
      let lock = bit(of: step.object)
      taken &= ~lock
      strands[step.strand].exclusive &= ~lock
      strands[step.strand].shared &= ~lock
    default: break
    }
  }

  private mutating func bit(of object: UInt64) -> Set {
    let object = UInt32(truncatingIfNeeded: object)
    if numbers[object] == 0, count < Set.bitWidth {
      count += 1
      numbers[object] = count
    }
    return numbers[object] == 0 ? 0 : 1 << Set(numbers[object] - 1)
  }
}

extension OperationKind {
  /// Whether it reads or writes memory.
  @inline(__always)
  var isAccess: Bool { self == .read || self == .write || self == .update }
}
