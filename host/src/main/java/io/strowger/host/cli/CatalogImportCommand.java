package io.strowger.host.cli;

import io.strowger.core.json.JacksonCodec;
import io.strowger.host.catalog.CatalogImport;
import io.strowger.host.catalog.ImportOptions;
import io.strowger.host.catalog.Imported;
import io.strowger.host.catalog.Scores;
import io.strowger.host.show.PrettyJson;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** {@code gateway catalog import}: a public price list becomes a configuration. */
@Command(
    name = "import",
    description = "Turns a price list, or a gateway's own listing, into a configuration.",
    mixinStandardHelpOptions = true)
final class CatalogImportCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--from",
      required = true,
      paramLabel = "models-dev|litellm|listing",
      description = "The form of the list.")
  private String from = "";

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the configuration (default: standard output).")
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
      description = "Imports providers that are paid by subscription as well.")
  private boolean plans;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description = {
        "How good models are, which price lists do not say: a JSON object of model ids, such as "
            + "{\"acme/large\": {\"intelligence\": 0.97, \"coding\": 0.94}}, each score the share "
            + "of models this one is as good as or better than, 0 to 1."
      })
  private @Nullable Path scores;

  @Parameters(paramLabel = "FILE", description = "The price list.")
  private Path list = Path.of("");

  CatalogImportCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    CatalogImport form =
        CatalogImport.ofWord(from)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--from must be one of "
                            + String.join(", ", CatalogImport.words())
                            + ", was "
                            + from));
    Path ranked = scores;
    Scores given = ranked == null ? null : read(ranked, "scores", Scores::read);
    var options = new ImportOptions(Set.copyOf(only), plans, all);
    Imported bare = read(list, "a list of this form", json -> form.read(json, options));
    Imported imported = given == null ? bare : given.on(bare);
    write(PrettyJson.pretty(imported.config()) + "\n");
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
