package io.strowger.host.cli;

import io.strowger.core.json.JacksonCodec;
import io.strowger.host.catalog.CatalogImport;
import io.strowger.host.catalog.ImportOptions;
import io.strowger.host.catalog.ImportResult;
import io.strowger.host.catalog.Scores;
import io.strowger.host.show.PrettyJson;
import io.strowger.host.show.Quantity;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gateway catalog import}: converts a public price list to a configuration. */
@Command(
    name = "import",
    description = {
      "Turns a price list, or a gateway's own listing, into a configuration.",
      "models-dev is the published JSON of models.dev: providers, their models, dollars per million"
          + " tokens. price-map (also called litellm) is a map from model names to dollars per"
          + " token, such as LiteLLM's model_prices_and_context_window.json. listing is what a"
          + " gateway answers to GET /models, with the endpoints of each model."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  ./gateway catalog import --from models-dev --only openai,anthropic \\",
      "      --out gateway.json models.json"
    },
    mixinStandardHelpOptions = true)
final class CatalogImportCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "models-dev|price-map|listing",
      completionCandidates = Forms.class,
      description = "The form of the list.")
  private String from = "";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the configuration, as JSON (default: standard output).")
  private @Nullable Path out;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SLUG",
      description =
          "Imports these providers only, each with an api_key from its environment variable where"
              + " one is known (default: well-known vendors that are paid by what a request uses).")
  private List<String> only = List.of();

  @Option(
      names = "--all",
      description =
          "Imports every provider that is paid by what a request uses, also those without a known"
              + " key or a usable address.")
  private boolean all;

  @Option(
      names = "--plans",
      description =
          "Imports providers that are paid by subscription as well (default: those paid by what a"
              + " request uses).")
  private boolean plans;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description = {
        "How good models are, which price lists do not say: a JSON object of model ids, such as "
            + "{\"acme/large\": {\"intelligence\": 0.97, \"coding\": 0.94}}, each score the share "
            + "of models this one is as good as or better than, 0 to 1 (default: none)."
      })
  private @Nullable Path scores;

  @Parameters(paramLabel = "FILE", description = "The price list.")
  private Path list = Path.of("");

  /** The names of the forms, for completion in shells. */
  private static final class Forms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("models-dev", "price-map", "listing").iterator();
    }
  }

  CatalogImportCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    CatalogImport form =
        CatalogImport.ofCliName(from)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--from must be one of price-map, "
                            + String.join(", ", CatalogImport.cliNames())
                            + ", was "
                            + from));
    Path scoresFile = scores;
    Scores modelScores = scoresFile == null ? null : read(scoresFile, "scores", Scores::read);
    var options = new ImportOptions(Set.copyOf(only), plans, all);
    ImportResult imported;
    try (var progress = new ProgressLine(context)) {
      ImportResult unscored =
          read(
              list,
              "a list of this form",
              json -> {
                progress.show(() -> "importing " + list);
                return form.read(json, options);
              });
      imported = modelScores == null ? unscored : modelScores.applyTo(unscored);
      progress.show(() -> "writing " + Quantity.of(unscored.summary().models(), "model"));
      write(PrettyJson.pretty(imported.config()) + "\n");
    }
    imported.summary().lines().forEach(context.err()::println);
    return CommandLines.DONE;
  }

  private static <T> T read(Path file, String what, Function<Json, T> reader)
      throws CommandException {
    try {
      return reader.apply(new JacksonCodec(JsonLimits.DEFAULT).parse(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw CommandException.unreadable(file, e);
    } catch (JsonCodec.MalformedJsonException e) {
      throw new CommandException(file + " " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new CommandException(file + " cannot be read as " + what + ": " + e.getMessage());
    }
  }

  private void write(String config) throws CommandException {
    Path file = out;
    if (file == null) {
      PrintStream target = context.out();
      target.print(config);
      target.flush();
      return;
    }
    try {
      Files.write(file, config.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandException.unwritable(file, e);
    }
  }
}
