package io.strowger.host.cli;

import io.strowger.spi.error.Problem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A command cannot do what it was asked to; what to tell the user about it. */
final class Complaint extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> details;

  Complaint(String message) {
    this(message, List.of());
  }

  private Complaint(String message, List<String> details) {
    super(message, null, false, false);
    this.details = List.copyOf(details);
  }

  /** A document is refused; each problem with its place. */
  static Complaint about(String what, List<Problem> problems) {
    String count = problems.size() == 1 ? "a problem" : problems.size() + " problems";
    return new Complaint(what + " has " + count, problems.stream().map(Problem::toString).toList());
  }

  static Complaint unreadable(Path file, IOException e) {
    return new Complaint("cannot read " + file + ": " + reason(e));
  }

  static Complaint unwritable(Path file, IOException e) {
    return new Complaint("cannot write " + file + ": " + reason(e));
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException none -> "no such file or directory";
      case AccessDeniedException denied -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  /** One line each, below the message. */
  List<String> details() {
    return details;
  }
}
