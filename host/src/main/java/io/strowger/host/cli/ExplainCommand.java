package io.strowger.host.cli;

import io.strowger.core.Routing;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.health.Statistics;
import io.strowger.host.server.RunningGateway;
import io.strowger.host.show.DecisionJson;
import io.strowger.host.show.DecisionTable;
import io.strowger.host.show.DecisionView;
import io.strowger.host.show.PrettyJson;
import io.strowger.host.show.Table;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.routing.ModelRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code gateway explain}: shows the decision for a request, without dispatching it or spending
 * money.
 */
@Command(
    name = "explain",
    description = "Shows the decision for a request. Nothing is dispatched, nothing spent.",
    footerHeading = "%nExample:%n",
    footer = {
      "  ./gateway explain --config gateway.json request.json",
      "  echo '{\"model\":\"acme/large\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}'"
          + " |",
      "    ./gateway explain --config gateway.json --seed 7 -"
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class ExplainCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private final SharedOptions.Config config = new SharedOptions.Config();

  @Option(
      names = "--dialect",
      paramLabel = "chat|messages",
      description = "The dialect of the request (default: ${DEFAULT-VALUE}).")
  private DialectOption dialect = DialectOption.chat;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the random numbers: the same seed gives the same decision (default: a new one).")
  private @Nullable Long seed;

  @Option(names = "--json", description = "Writes the decision as one JSON object.")
  private boolean json;

  @Parameters(
      paramLabel = "REQUEST.json",
      description = "The body of the request; - reads it from standard input.")
  private Path request = Path.of("-");

  /** A dialect, with its name on the command line. */
  enum DialectOption {
    chat(Dialect.CHAT),
    messages(Dialect.MESSAGES);

    private final Dialect value;

    DialectOption(Dialect value) {
      this.value = value;
    }
  }

  ExplainCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    try (ConfigFile.OpenConfig opened = config.file(context).open()) {
      return explain(opened);
    }
  }

  private int explain(ConfigFile.OpenConfig opened) throws CommandException {
    GatewayConfig gatewayConfig = opened.config();
    byte[] body = body();
    long decisionSeed = seed == null ? context.ambient().seed() >>> 1 : seed;
    try (var running =
        RunningGateway.open(
            gatewayConfig,
            opened.plugins(),
            context.ambient(),
            RunningGateway.HostResources.NONE)) {
      show(running.gateway().routing().explain(dialect.value, body, decisionSeed));
      return CommandLines.DONE;
    } catch (GatewayException refusal) {
      return reportRefusal(gatewayConfig, decisionSeed, refusal.error());
    }
  }

  private void show(Routing.Explanation explanation) {
    DecisionView decision = DecisionView.of(explanation);
    if (json) {
      context.out().println(PrettyJson.pretty(DecisionJson.of(decision)));
      return;
    }
    String models =
        explanation.query().models().stream()
            .map(ModelRef::toString)
            .collect(Collectors.joining(", "));
    String title =
        "%s · %s · seed %d · catalog %s"
            .formatted(
                models,
                decision.strategy(),
                decision.inputs().seed(),
                decision.inputs().catalog().version());
    Table.wrap(title, Table.WIDTH)
        .forEach(line -> context.out().println(context.terminal().out().strong(line)));
    DecisionTable.full(decision).forEach(context.out()::println);
  }

  /** Reports a request that is refused before a decision is made. */
  private int reportRefusal(GatewayConfig gatewayConfig, long decisionSeed, GatewayError error)
      throws CommandException {
    if (json) {
      var inputs = new DecisionView.Inputs(gatewayConfig.catalog(), Statistics.NONE, decisionSeed);
      var decision = new DecisionView(inputs, DecisionView.DIRECT, List.of(), error, List.of());
      context.out().println(PrettyJson.pretty(DecisionJson.of(decision)));
    }
    if (error.code() == ErrorCode.INTERNAL) {
      throw new CommandException("cannot explain the request " + request + ": " + error.message());
    }
    List<Problem> problems =
        error.problems().isEmpty()
            ? List.of(new Problem(JsonPointer.ROOT, error.message(), ""))
            : error.problems();
    throw CommandException.ofProblems(request.toString(), problems);
  }

  private byte[] body() throws CommandException {
    try {
      return request.toString().equals("-")
          ? context.in().readAllBytes()
          : Files.readAllBytes(request);
    } catch (IOException e) {
      throw CommandException.unreadable(request, e);
    }
  }
}
