package io.strowger.core.batch;

import io.strowger.core.decode.Problems;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates the errors with which a batch is refused. Open question 20; resources fact sheet, 6. */
public final class BatchRefusal {
  private static final Pattern CUSTOM_ID = Pattern.compile("/requests/(\\d+)/custom_id");

  private BatchRefusal() {}

  /**
   * Returns a 400 for an invalid structure. When a {@code custom_id} is missing, the message begins
   * with the sentence that the contract prescribes for it. When that is the only problem, the
   * message ends there; otherwise all problems are listed after it.
   */
  public static GatewayError malformed(Problems problems) {
    List<Problem> problemList = problems.list();
    return problemList.stream()
        .flatMap(problem -> indexOfMissingCustomId(problem).stream())
        .findFirst()
        .map(i -> "custom_id is required on requests[" + i + "].")
        .map(
            sentence ->
                problemList.size() == 1
                    ? GatewayError.of(ErrorCode.INVALID_REQUEST, sentence)
                    : GatewayError.of(ErrorCode.INVALID_REQUEST, sentence, problemList))
        .orElseGet(() -> GatewayError.of(ErrorCode.INVALID_REQUEST, problemList));
  }

  private static Optional<String> indexOfMissingCustomId(Problem problem) {
    Matcher matcher = CUSTOM_ID.matcher(problem.pointer().toString());
    return problem.value().isEmpty() && matcher.matches()
        ? Optional.of(matcher.group(1))
        : Optional.empty();
  }

  /** Returns a 422 for well-formed bodies that do not suit the path of the batch. */
  public static GatewayError unusable(Problems problems) {
    return GatewayError.of(ErrorCode.UNPROCESSABLE, problems.list());
  }
}
