/// One hazard: a small program that goes wrong, its repaired twin, and what each of them must lead
/// to.
///
/// The bodies are written as users write; they know no checker. What a checker must say about them
/// is data here, in the words of its reports, so that this target needs nothing but Foundation.
package struct Scenario: Sendable {
  /// Runs on the main thread of a process of its own, because it may hang, trap or never give its
  /// threads back.
  package typealias Body = @Sendable () -> Void

  /// Stable, lower case with hyphens; `hammer-and-saw` lives in `HammerAndSaw.swift`.
  package let id: String
  package let fault: Fault
  /// One sentence: what people write.
  package let summary: String
  /// Where its source lay when it was built.
  package let file: String
  /// The number of processors that the process needs for the fault to happen.
  package let processors: Int
  /// What each variant leads to; a variant has an entry here exactly if it has a body.
  package let expectations: [Variant: Expectation]

  private let bodies: [Variant: Body]

  /// - Parameters:
  ///   - flawed: what people write, in one ordinary run, whether it escapes the harm or not; where
  ///     that is up to chance, the outcome says so.
  ///   - harmful: the same program, steered into the harm that `flawed` only risks; `nil` where
  ///     `flawed` never escapes it.
  ///   - repaired: the program after its repair, under the same pressure as the most harmful one.
  package init(
    id: String, fault: Fault, summary: String, processors: Int = 1,
    expectations: [Variant: Expectation], file: String = #filePath,
    flawed: @escaping Body, harmful: Body? = nil, repaired: @escaping Body
  ) {
    self.id = id
    self.fault = fault
    self.summary = summary
    self.processors = processors
    self.expectations = expectations
    self.file = file
    var bodies = [Variant.flawed: flawed, .repaired: repaired]
    bodies[.harmful] = harmful
    self.bodies = bodies
  }

  /// A program that is correct as it stands and only looks dangerous: both twins are the same.
  init(id: String, summary: String, file: String = #filePath, correct: @escaping Body) {
    self.init(
      id: id, fault: .silent, summary: summary,
      expectations: [
        .flawed: .init(.ends, observe: .silent), .repaired: .init(.ends, observe: .silent),
      ],
      file: file, flawed: correct, repaired: correct)
  }

  /// The variants that there are, mildest last.
  package var variants: [Variant] { Variant.allCases.filter { bodies[$0] != nil } }

  /// The program of one variant; `nil` if the scenario has no such variant.
  package func body(of variant: Variant) -> Body? { bodies[variant] }
}

extension Scenario {
  /// Groups of the catalogue; the raw value is the folder of the scenario's file.
  package enum Fault: String, Sendable, CaseIterable {
    case dataRaces = "DataRaces"
    case atomicity = "Atomicity"
    case memory = "Memory"
    case deadlocks = "Deadlocks"
    case priority = "Priority"
    case misuse = "Misuse"
    case silent = "Silent"

    /// What its scenarios have in common.
    package var sentence: String {
      switch self {
      case .dataRaces:
        "Two threads touch the same memory, and nothing puts one before the other."
      case .atomicity: "Every step is guarded, and what was to be one step is several."
      case .memory:
        "Atomic accesses ask for a weaker order than the program needs. Explored with memory=weak."
      case .deadlocks:
        "Two or more parts of the program wait for each other, or one waits for itself."
      case .priority: "What is urgent waits for what is not."
      case .misuse:
        "An object is used against its rules, and the program dies or does the wrong thing."
      case .silent:
        "Correct programs with a dangerous look: a finding in one of them is a false alarm."
      }
    }
  }

  package enum Variant: String, Sendable, CaseIterable {
    /// What people write.
    case flawed
    /// What they wrote, at the moment when it goes wrong.
    case harmful
    /// What they should have written.
    case repaired
  }
}
