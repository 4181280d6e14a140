package io.strowger.core.config;

import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.JsonCodec;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration file. It checks the whole document: unknown members, types, ranges,
 * words, references and missing environment variables, and reports every problem with its place. No
 * problem shows a secret or the value of a variable.
 *
 * <p>Thread-safe if the environment passed to it is.
 */
public final class ConfigReader {
  private static final int MAX_PROBLEMS = 1_000;

  private final JsonCodec codec;
  private final Function<String, @Nullable String> environment;
  private final Set<String> protocols;
  private final boolean anyProtocol;

  /**
   * @param codec parses the document
   * @param environment returns the value of a variable for {@code ${NAME}}; null when not set
   */
  public ConfigReader(JsonCodec codec, Function<String, @Nullable String> environment) {
    this(codec, environment, new LinkedHashSet<>(ProviderReader.PROTOCOLS), false);
  }

  private ConfigReader(
      JsonCodec codec,
      Function<String, @Nullable String> environment,
      Set<String> protocols,
      boolean anyProtocol) {
    this.codec = Objects.requireNonNull(codec, "codec");
    this.environment = Objects.requireNonNull(environment, "environment");
    this.protocols = protocols;
    this.anyProtocol = anyProtocol;
  }

  /**
   * Returns a reader that also accepts these words for the {@code protocol} of a provider: those of
   * the host's own factories.
   */
  public ConfigReader withProtocols(Collection<String> words) {
    var allProtocols = new LinkedHashSet<>(protocols);
    allProtocols.addAll(words);
    return new ConfigReader(codec, environment, allProtocols, anyProtocol);
  }

  /**
   * Returns a reader that accepts every word for the {@code protocol} of a provider, for a program
   * that reads the file but does not connect to providers.
   */
  public ConfigReader withAnyProtocol() {
    return new ConfigReader(codec, environment, protocols, true);
  }

  /** Returns a reader in which these variables take precedence over the environment. */
  ConfigReader withVariables(Map<String, String> values) {
    return new ConfigReader(
        codec,
        name -> values.containsKey(name) ? values.get(name) : environment.apply(name),
        protocols,
        anyProtocol);
  }

  /** Returns the words this reader accepts for the {@code protocol} of a provider. */
  public Set<String> protocols() {
    return Collections.unmodifiableSet(protocols);
  }

  /**
   * Returns the {@code plugins_dir} of a file; null when there is none. The rest of the file may be
   * invalid. A host opens the jars of this directory before it reads the file, because the file may
   * use their protocols.
   *
   * @param document the content; the caller must not modify it afterwards
   */
  public @Nullable String pluginsDir(byte[] document) {
    Json parsed;
    try {
      parsed = codec.parse(document);
    } catch (JsonCodec.MalformedJsonException malformed) {
      return null;
    }
    Json member = parsed instanceof Json.Obj object ? object.get("plugins_dir") : null;
    return member instanceof Json.Str
            && new Variables(environment, new Problems(1)).expand(member, JsonPointer.ROOT)
                instanceof Json.Str expanded
            && Scalars.isDisplayable(expanded.text())
        ? expanded.text()
        : null;
  }

  /** Returns a reader with this process's environment and the default JSON limits. */
  public static ConfigReader standard() {
    return new ConfigReader(new JacksonCodec(JsonLimits.DEFAULT), System::getenv);
  }

  /**
   * Reads a file's content.
   *
   * @param document the content; the caller must not modify it afterwards
   */
  public ConfigResult read(byte[] document) {
    try {
      return read(codec.parse(document));
    } catch (JsonCodec.MalformedJsonException malformed) {
      var problems = new Problems(1);
      problems.add(
          JsonPointer.ROOT, Objects.requireNonNullElse(malformed.getMessage(), "is not JSON"), "");
      return new ConfigResult.Refused(problems.list(), PluginSettings.NONE);
    }
  }

  /** Reads a document that is already parsed. */
  public ConfigResult read(Json document) {
    var problems = new Problems(MAX_PROBLEMS);
    if (!(document instanceof Json.Obj object)) {
      problems.add(JsonPointer.ROOT, "must be an object", Scalars.kind(document));
      return new ConfigResult.Refused(problems.list(), PluginSettings.NONE);
    }
    var expanded = (Json.Obj) new Variables(environment, problems).expand(object, JsonPointer.ROOT);
    var configSections =
        new Section(object, expanded, JsonPointer.ROOT, problems)
            .read(
                in -> new ConfigSections(in, anyProtocol ? withProtocolsOf(expanded) : protocols));
    return problems.isEmpty()
        ? new ConfigResult.Accepted(config(configSections, expanded))
        : new ConfigResult.Refused(problems.list(), configSections.plugins);
  }

  private Set<String> withProtocolsOf(Json.Obj document) {
    var allProtocols = new LinkedHashSet<>(protocols);
    if (document.get("providers") instanceof Json.Arr providers) {
      for (int i = 0; i < providers.size(); i++) {
        if (providers.get(i) instanceof Json.Obj provider
            && provider.get("protocol") instanceof Json.Str protocol) {
          allProtocols.add(protocol.text());
        }
      }
    }
    return allProtocols;
  }

  private static GatewayConfig config(ConfigSections configSections, Json.Obj document) {
    Json emptyArray = Json.array();
    var catalog =
        Catalog.builder(
            CatalogVersion.of(
                Objects.requireNonNullElse(document.get("providers"), emptyArray),
                Objects.requireNonNullElse(document.get("models"), emptyArray)));
    for (var entry : configSections.models) {
      catalog.add(entry.model(), entry.endpoints());
    }
    Catalog builtCatalog = catalog.build();
    return new GatewayConfig(configSections, builtCatalog, new StartOnlyMembers(document));
  }
}
