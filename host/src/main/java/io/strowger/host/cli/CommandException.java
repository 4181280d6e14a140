package io.strowger.host.cli;

import io.strowger.spi.error.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Thrown when a command fails for a reason that the user can act on; the message is for the user.
 */
public final class CommandException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> details;

  CommandException(String message) {
    this(message, List.of());
  }

  private CommandException(String message, List<String> details) {
    super(message, null, false, false);
    this.details = List.copyOf(details);
  }

  /** Returns the exception for a refused document, with one line for each problem. */
  static CommandException ofProblems(String what, List<Problem> problems) {
    String count = problems.size() == 1 ? "a problem" : problems.size() + " problems";
    return new CommandException(
        what + " has " + count, problems.stream().map(Problem::toString).toList());
  }

  static CommandException unreadable(Path file, IOException e) {
    return new CommandException("cannot read " + file + ": " + reason(e));
  }

  static CommandException unwritable(Path file, IOException e) {
    return new CommandException("cannot write " + file + ": " + reason(e));
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "no such file or directory";
      case AccessDeniedException denied -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  /** Returns the lines to print below the message. */
  public List<String> details() {
    return details;
  }
}
