import ThreadmillModel
import ThreadmillReporting
import ThreadmillScenarios

/// Why a command cannot do its work, where that is no fault of Threadmill's. What a command throws
/// besides is an internal error.
protocol Failure: Error {
  /// How the process ends.
  var status: ExitStatus { get }
  /// One or more, each for itself; they stand behind the name of the command.
  var lines: [String] { get }
}

extension Failure where Self: CustomStringConvertible {
  var lines: [String] { [description] }
}

/// What a person has to put right.
protocol UsersMistake: Failure {}

extension UsersMistake {
  var status: ExitStatus { .wrongUsage }
}

/// Something that belongs to Threadmill and is not there.
protocol MissingPart: Failure {}

extension MissingPart {
  var status: ExitStatus { .harnessFailed }
}

extension InvalidOptions: UsersMistake {}
extension ReportFileError: UsersMistake {}
extension ScenarioHost.Missing: MissingPart {}
extension ToolBuild.Failed: MissingPart {}
extension Story.Untold: MissingPart {
  var lines: [String] { [description.printable] }
}
extension TestBinary.Missing: UsersMistake {}
extension TestBinary.OutOfReach: UsersMistake {}
extension TestChoice.NoMatch: UsersMistake {}
extension TestChoice.NoTest: UsersMistake {}
extension TestShard.Nonsense: UsersMistake {}
extension ToolFile.Missing: MissingPart {}
extension Unwatchable: UsersMistake {}
extension WrongInput: UsersMistake {}
