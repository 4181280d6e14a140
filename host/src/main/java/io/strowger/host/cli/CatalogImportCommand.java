package io.strowger.host.cli;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.json.JsonLimits;
import io.strowger.host.catalog.CatalogImport;
import io.strowger.host.catalog.Imported;
import io.strowger.host.show.JsonText;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
  private final Terminal terminal;

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

  @Parameters(paramLabel = "FILE", description = "The price list.")
  private Path list = Path.of("");

  CatalogImportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Complaint {
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
    Imported imported = imported(form);
    write(JsonText.pretty(imported.config()) + "\n");
    imported.summary().lines().forEach(terminal.err()::println);
    return CommandLines.DONE;
  }

  private Imported imported(CatalogImport form) throws Complaint {
    try {
      return form.read(new JacksonCodec(JsonLimits.DEFAULT).parse(Files.readAllBytes(list)));
    } catch (IOException e) {
      throw Complaint.unreadable(list, e);
    } catch (JsonCodec.MalformedJson e) {
      throw new Complaint(list + " " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new Complaint(list + " is not a list of this form: " + e.getMessage());
    }
  }

  private void write(String config) throws Complaint {
    Path file = out;
    if (file == null) {
      PrintStream target = terminal.out();
      target.print(config);
      target.flush();
      return;
    }
    try {
      Files.write(file, config.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw Complaint.unwritable(file, e);
    }
  }
}
