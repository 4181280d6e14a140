package io.strowger.conformance.fuzz;

import io.strowger.core.config.Plugins;
import io.strowger.core.decode.PluginChecks;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.plugins.BuiltinPlugins;
import java.util.List;

/** The targets of all fuzzed decoders. */
final class Targets {
  /** All built-in plugins, so that their entries in requests are checked by their own schemas. */
  static final PluginChecks PLUGINS =
      PluginRegistry.of(Plugins.none().discover(BuiltinPlugins.all()));

  private Targets() {}

  /** Returns all targets. */
  static List<Target<?>> all() {
    return List.of(
        ChatFuzz.TARGET,
        MessagesFuzz.TARGET,
        ResponsesFuzz.TARGET,
        SpeechFuzz.TARGET,
        EmbeddingsFuzz.TARGET,
        RerankFuzz.TARGET,
        ImagesFuzz.TARGET,
        TranscriptionFuzz.TARGET,
        KeyCreateFuzz.TARGET,
        KeyUpdateFuzz.TARGET,
        DestinationCreateFuzz.TARGET,
        DestinationUpdateFuzz.TARGET,
        PresetFuzz.TARGET,
        ByokKeyFuzz.TARGET,
        ByokKeyFuzz.UPDATE,
        WorkspaceFuzz.TARGET,
        WorkspaceFuzz.UPDATE,
        GuardrailFuzz.TARGET,
        BatchFuzz.TARGET);
  }
}
