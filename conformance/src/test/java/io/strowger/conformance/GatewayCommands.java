package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.host.cli.CommandContext;
import io.strowger.host.cli.CommandLines;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Runs commands of {@code ./gateway} that documents show, in a folder with the files that they
 * name.
 */
final class GatewayCommands {
  private static final long SEED = 7;
  private static final String EXPLAIN =
      "explain --config gateway.json --seed " + SEED + " --json request.json";

  private final Path folder;
  private final Map<String, String> environment;

  /** What a command printed, and its exit code. */
  record Outcome(int code, String out, String err) {}

  /**
   * @param folder where {@code gateway.json} is written
   * @param config the text of {@code gateway.json}
   */
  GatewayCommands(Path folder, String config, Map<String, String> environment) throws IOException {
    this.folder = folder;
    this.environment = environment;
    Files.writeString(folder.resolve("gateway.json"), config);
  }

  /**
   * Runs a command line as documents show it; names of files in the folder refer to those files.
   */
  Outcome run(String line) {
    var words = new ArrayList<String>();
    for (String word : line.strip().split(" ")) {
      Path file = folder.resolve(word);
      words.add(Files.exists(file) ? file.toString() : word);
    }
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code =
        CommandLines.run(
            new CommandContext(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment::get,
                new SystemAmbient()),
            words.toArray(String[]::new));
    return new Outcome(
        code,
        out.toString(StandardCharsets.UTF_8).replace(folder + "/", ""),
        err.toString(StandardCharsets.UTF_8).replace(folder + "/", ""));
  }

  /** Runs a command line with this text as {@code request.json}. */
  Outcome run(String line, String request) throws IOException {
    Files.writeString(folder.resolve("request.json"), request);
    return run(line);
  }

  /** Returns the decision for a request in the form of {@code explain --json}. */
  Json.Obj decide(String request) throws Exception {
    Outcome outcome = run(EXPLAIN, request);
    assertThat(outcome.code()).as("%s%n%s", request, outcome.err()).isZero();
    return parse(outcome.out());
  }

  /**
   * Returns the endpoints that a gateway would try, as in a table of a document; for a refusal, its
   * status.
   */
  static String order(Gateway gateway, String request) {
    RoutePlan plan =
        gateway.routing().explain(request.getBytes(StandardCharsets.UTF_8), SEED).plan();
    return switch (plan) {
      case RoutePlan.NoRoute none -> "none: " + none.error().code().status();
      case RoutePlan.Attempts attempts -> {
        List<Endpoint> endpoints =
            attempts.candidates().stream().map(PlannedAttempt::endpoint).toList();
        boolean oneModel = endpoints.stream().map(Endpoint::model).distinct().count() == 1;
        yield endpoints.stream()
            .map(it -> it.tag() + (oneModel ? "" : " (" + it.model() + ")"))
            .collect(Collectors.joining(", "));
      }
    };
  }

  /** Returns the objects in the list of this name. */
  static List<Json.Obj> objects(Json.Obj parent, String name) {
    return Objects.requireNonNull(parent.list(name), name).stream()
        .map(Json.Obj.class::cast)
        .toList();
  }

  static Json.Obj parse(String text) throws Exception {
    return (Json.Obj) new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
