package io.strowger.spring;

import io.strowger.spi.error.Problem;
import java.util.List;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with a gateway's configuration as a list, one line for each problem. */
final class InvalidGatewayAnalyzer extends AbstractFailureAnalyzer<InvalidGatewayException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, InvalidGatewayException cause) {
    List<Problem> problems = cause.problems();
    var description = new StringBuilder("The gateway cannot be started. ");
    description
        .append(cause.source())
        .append(problems.size() == 1 ? " has a problem:" : " has " + problems.size() + " problems:")
        .append('\n');
    problems.forEach(problem -> description.append("\n  - ").append(problem));
    return new FailureAnalysis(
        description.append('\n').toString(),
        "Correct what is listed. A path such as /providers/0/api_key is a place in the"
            + " configuration. ${NAME} in it is looked up in Spring's Environment: environment"
            + " variables, application.yml and every other property source.",
        cause);
  }
}
