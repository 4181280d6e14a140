package io.strowger.core;

import static io.strowger.tck.Given.usage;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RouterStep;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Two configurations, a and b, that differ in everything a request can see: addresses, upstream
 * names of the model, prices, and the number and order of endpoints. The adapters and the router of
 * this class know to which configuration they belong, and record every mixture of the two in {@code
 * mixtures}.
 */
final class TwoCatalogs implements ProviderFactory, PluginProvider {
  static final String MODEL = "acme/large";

  /** The price of prompt tokens in configuration a, in dollars per million. */
  static final long PRICE_A = 1;

  /** The price of prompt tokens in configuration b, in dollars per million. */
  static final long PRICE_B = 7;

  final GatewayConfig a = config("a", "", PRICE_A);
  final GatewayConfig b = config("b", model("acme/first", "b", PRICE_B) + ",", PRICE_B);
  final Queue<String> mixtures = new ConcurrentLinkedQueue<>(); // also failures
  final AtomicInteger adaptersCreated = new AtomicInteger();
  private final Set<Adapter> openAdapters = ConcurrentHashMap.newKeySet();

  private static GatewayConfig config(String name, String moreModels, long price) {
    String file =
        """
        { "providers": [
            { "slug": "alpha", "protocol": "openai-chat", "base_url": "http://127.0.0.1:1/%1$s" },
            { "slug": "beta", "protocol": "openai-chat", "base_url": "http://127.0.0.1:2/%1$s" } ],
          "models": [ %2$s %3$s ],
          "keys": [ { "name": "app", "key": "sk-app-0123456789", "management": false } ] }
        """
            .formatted(name, moreModels, model(MODEL, name, price));
    return ConfigReader.standard().read(file.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private static String model(String id, String upstream, long price) {
    return """
    { "id": "%1$s", "endpoints": [
        { "provider": "alpha", "upstream_model": "%2$s", "pricing": { "prompt": "0.00000%3$d" } },
        { "provider": "beta", "upstream_model": "%2$s", "pricing": { "prompt": "0.00000%3$d" } } ] }
    """
        .formatted(id, upstream, price);
  }

  int adaptersOpen() {
    return openAdapters.size();
  }

  /** Checks that all inputs of a decision are of the same catalog. */
  void check(LoggedDecision decision) {
    check(
        decision.catalog(),
        decision.statistics().size(),
        decision.query().catalogVersion(),
        decision.query().routers(),
        decision.plan());
  }

  void check(Routing.Explanation explanation) {
    check(
        explanation.catalog(),
        explanation.statistics().size(),
        explanation.query().catalogVersion(),
        explanation.query().routers(),
        explanation.plan());
  }

  private void check(
      Catalog catalog,
      int statistics,
      String queryVersion,
      List<RouterStep> routers,
      RoutePlan plan) {
    checkSame("query", catalog.version(), queryVersion);
    checkSame("statistics", catalog.endpoints().size(), statistics);
    checkSame("routers", 1, routers.size());
    checkSame("facts", Json.of(catalog.version()), routers.getFirst().facts());
    if (!(plan instanceof RoutePlan.Attempts attempts)) {
      mixtures.add("no candidates: " + plan);
      return;
    }
    for (PlannedAttempt candidate : attempts.candidates()) {
      var endpoint = candidate.endpoint();
      if (catalog.endpoints().get(endpoint.ordinal()) != endpoint) {
        mixtures.add(endpoint + " is not of " + catalog);
      }
    }
  }

  /** Records a mixture unless a part is of the expected configuration. */
  void checkSame(String part, Object expected, Object found) {
    if (!expected.equals(found)) {
      mixtures.add(part + " of " + found + " where the rest is of " + expected);
    }
  }

  // the adapters

  @Override
  public String protocol() {
    return "openai-chat";
  }

  @Override
  public ChatProvider create(ProviderSettings settings) {
    var adapter = new Adapter(settings.baseUri().getPath().substring(1));
    adaptersCreated.incrementAndGet();
    openAdapters.add(adapter);
    return adapter;
  }

  @Override
  public void close() {}

  /** An adapter that answers with the name of its configuration. */
  final class Adapter implements ChatProvider {
    private final String name;

    Adapter(String name) {
      this.name = name;
    }

    @Override
    public EventStream open(Call call) {
      checkSame("adapter", name, call.endpoint().upstreamModel());
      checkOpen("opens a stream");
      var events = new ArrayList<Event>();
      for (Step step : List.of(text(name), text("."), finished())) {
        events.add(((Step.Emit) step).event());
      }
      events.add(2, new Event.UsageReport(usage(1_000_000, 0), null));
      return new CheckedStream(EventStream.of(events), this);
    }

    void checkOpen(String action) {
      if (!openAdapters.contains(this)) {
        mixtures.add("an adapter of " + name + " " + action + " after it was closed");
      }
    }

    @Override
    public Json body(Call call) {
      return Json.NULL;
    }

    @Override
    public void close() {
      openAdapters.remove(this);
    }
  }

  /** A stream that checks on each read that its adapter is still open. */
  private record CheckedStream(EventStream events, Adapter adapter) implements EventStream {
    @Override
    public @Nullable Event next() {
      adapter.checkOpen("is read");
      return events.next();
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public void close() {
      events.close();
    }
  }

  // the router

  @Override
  public Descriptor descriptor() {
    return Descriptor.router("witness").order(1).build();
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new CheckingRouter(catalog);
  }

  /** A router that checks that its candidates are of its own catalog, and selects none. */
  private final class CheckingRouter implements RouterPlugin {
    private final Catalog catalog;

    CheckingRouter(Catalog catalog) {
      this.catalog = catalog;
    }

    @Override
    public Json facts(InferenceRequest request) {
      return Json.of(catalog.version());
    }

    @Override
    public Selection select(Candidates candidates) {
      checkSame("facts", Json.of(catalog.version()), candidates.facts());
      checkSame("models", catalog.models().size(), candidates.size());
      checkSame("model", catalog.models().getFirst(), candidates.model(0));
      return Selection.PASS;
    }
  }
}
