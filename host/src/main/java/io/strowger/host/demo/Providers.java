package io.strowger.host.demo;

import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Simulated providers on loopback, and the variables of the demo's configuration. */
final class Providers implements AutoCloseable {
  /** The providers' names of the models. */
  static final String LARGE = "large";

  static final String SMALL = "small";

  static final String CODER = "coder";

  static final String MINI = "mini";

  static final String POLYGLOT = "polyglot";

  final SimulatedUpstream alpha;
  final SimulatedUpstream beta;
  final SimulatedUpstream gamma;

  /** A provider that speaks every dialect, each at an address of its own. */
  final SimulatedUpstream polyglot;

  final Website website = new Website();

  private final Map<String, String> variables;

  Providers(Ambient ambient) {
    alpha = SimulatedUpstream.start(ambient);
    beta = SimulatedUpstream.start(ambient);
    gamma = SimulatedUpstream.start(ambient);
    polyglot = SimulatedUpstream.start(ambient);
    variables =
        Map.of(
            "ALPHA_URL", alpha.baseUri().toString(),
            "BETA_URL", beta.baseUri().toString(),
            "GAMMA_URL", gamma.baseUri().toString(),
            "TONGUES_URL", polyglot.baseUri().toString(),
            "WEBSITE_URL", website.address(),
            "PROVIDER_KEY", secret(ambient),
            "APP_KEY", secret(ambient),
            "INTERN_KEY", secret(ambient),
            "ADMIN_KEY", secret(ambient));
  }

  /** Returns a new key, so that the demo's gateway has no well-known key. */
  private static String secret(Ambient ambient) {
    HexFormat hex = HexFormat.of();
    return "sk-demo-" + hex.toHexDigits(ambient.seed()) + hex.toHexDigits(ambient.seed());
  }

  /** Returns the value of a variable in the demo's configuration; null when there is none. */
  @Nullable String variable(String name) {
    return variables.get(name);
  }

  String appKey() {
    return variables.getOrDefault("APP_KEY", "");
  }

  String internKey() {
    return variables.getOrDefault("INTERN_KEY", "");
  }

  /** Returns the management key, which cannot send requests to models. */
  String adminKey() {
    return variables.getOrDefault("ADMIN_KEY", "");
  }

  @Override
  public void close() {
    alpha.close();
    beta.close();
    gamma.close();
    polyglot.close();
    website.close();
  }
}
