package io.strowger.host.cli;

import io.strowger.core.ambient.SecureBytes;
import io.strowger.host.catalog.StarterConfig;
import io.strowger.host.show.PrettyJson;
import io.strowger.host.show.Style;
import io.strowger.host.show.Table;
import io.strowger.host.show.YamlText;
import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gateway init}: writes a first configuration for the keys in the environment, and explains
 * it.
 */
@Command(
    name = "init",
    description = {
      "Writes a first configuration that serve takes as it is, and explains it line by line.",
      "Looks for keys of vendors in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY,"
          + " GEMINI_API_KEY or GOOGLE_API_KEY, and those of other vendors that catalog import"
          + " knows) and names them in the file, without writing them there. Without a key, the"
          + " providers are simulated, so that everything can be tried at once.",
      "Creates a key for callers and shows it once: the file holds only its SHA-256. The file is"
          + " readable by its owner alone, and a file that exists is never changed."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  OPENAI_API_KEY=... ./gateway init --out gateway.yaml",
      "  ./gateway serve --config gateway.yaml"
    },
    mixinStandardHelpOptions = true)
final class InitCommand implements Callable<Integer> {
  private static final int KEY_BYTES = 24;

  private final CommandContext context;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "The file to write; YAML with comments when its name ends in .yaml or .yml, JSON"
              + " otherwise (default: gateway.json, with --yaml gateway.yaml).")
  private @Nullable Path out;

  @Option(names = "--yaml", description = "Writes YAML (default: by the name of the file).")
  private boolean yaml;

  InitCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    Path file = out == null ? Path.of(yaml ? "gateway.yaml" : "gateway.json") : out;
    boolean asYaml = ConfigDocument.isYaml(file);
    if (yaml && !asYaml) {
      throw new CommandException(
          "--yaml needs a file whose name ends in .yaml or .yml, was " + file);
    }
    String key =
        "sk-"
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(new SecureBytes().apply(KEY_BYTES));
    StarterConfig config = StarterConfig.of(context.environment(), key);
    String yamlText = YamlText.of(config.document(), config.comments());
    write(file, asYaml ? yamlText : PrettyJson.pretty(config.document()) + "\n");
    explain(file, config, yamlText, key);
    return CommandLines.DONE;
  }

  /** Writes a new file that only its owner can access. */
  private static void write(Path file, String content) throws CommandException {
    try (var channel =
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnlyFiles.fileAttributes(file));
        OutputStream to = Channels.newOutputStream(channel)) {
      to.write(content.getBytes(StandardCharsets.UTF_8));
    } catch (FileAlreadyExistsException e) {
      throw new CommandException(
          file + " exists already and was not changed; name another file with --out");
    } catch (IOException e) {
      throw CommandException.unwritable(file, e);
    }
  }

  private void explain(Path file, StarterConfig config, String yamlText, String key) {
    PrintStream to = context.out();
    Style style = context.terminal().out();
    to.println(
        style.success("wrote " + file)
            + (ConfigDocument.isYaml(file) ? ", which says:" : ", which says, as YAML:"));
    to.println();
    yamlText
        .lines()
        .map(line -> line.strip().startsWith("#") ? style.faint(line) : line)
        .forEach(line -> to.println("  " + line));
    to.println();
    if (config.isSimulated()) {
      say(
          "No key of a vendor is in the environment, so the providers are simulated: they make"
              + " their answers up.");
    } else {
      say("Keys found: " + String.join(", ", new TreeSet<>(config.variables().values())));
    }
    if (!config.unusedVariables().isEmpty()) {
      say(
          "Also set, for vendors whose models you can add with catalog import --only: "
              + String.join(", ", config.unusedVariables()));
    }
    say("The key for callers, shown this once: " + style.strong(key));
    to.println();
    to.println(style.strong("Next"));
    to.println("  ./gateway serve --config " + quoted(file.toString()));
    to.println(
        "  curl http://127.0.0.1:8080/api/v1/chat/completions -H 'Authorization: Bearer "
            + key
            + "' -H 'Content-Type: application/json' -d '{\"model\":\""
            + config.model()
            + "\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello!\"}]}'");
  }

  private void say(String text) {
    Table.wrap(text, Table.WIDTH).forEach(context.out()::println);
  }

  /** Returns a name quoted for a shell, if it needs quotes. */
  private static String quoted(String name) {
    return name.matches("[A-Za-z0-9_./-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
