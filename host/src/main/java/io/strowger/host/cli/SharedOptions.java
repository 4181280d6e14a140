package io.strowger.host.cli;

import io.strowger.stores.database.DatabaseSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that several commands have. */
final class SharedOptions {
  private SharedOptions() {}

  /** The configuration file and the jars of its plugins. */
  static final class Config {
    @Option(
        names = "--config",
        required = true,
        paramLabel = "FILE",
        description = "The configuration file.")
    private Path config = Path.of("");

    @Option(
        names = "--plugins",
        paramLabel = "DIR",
        description = "Loads the plugins of the jars in DIR, instead of the file's plugins_dir.")
    private @Nullable Path plugins;

    ConfigFile file(CommandContext context) {
      return new ConfigFile(config, context, plugins);
    }

    Path path() {
      return config;
    }

    /** Returns the directory of plugins; null when the option is not given. */
    @Nullable Path plugins() {
      return plugins;
    }
  }

  /** The database of a configuration file, for its maintenance. */
  static final class Store {
    @Option(
        names = "--config",
        required = true,
        paramLabel = "FILE",
        description = "The configuration file.")
    private Path config = Path.of("");

    @Option(
        names = "--data",
        paramLabel = "DIR",
        description = "Directory of an embedded store, as for serve (default: none).")
    private @Nullable Path data;

    /**
     * Returns the settings of the database.
     *
     * @param lack what a store in memory does not have, such as {@code has no nodes}
     */
    DatabaseSettings database(CommandContext context, String lack) throws CommandException {
      var choice = new StoreChoice(new ConfigFile(config, context).readStoreSettings(), data);
      if (choice.isInMemory()) {
        throw new CommandException(
            "the store of %s is in memory, which %s; is --data missing?".formatted(config, lack));
      }
      return choice.databaseSettings();
    }
  }
}
