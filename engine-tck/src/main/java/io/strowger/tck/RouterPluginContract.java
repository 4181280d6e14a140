package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.spi.plugin.UsableEndpoint.Health;
import io.strowger.spi.plugin.UsableEndpoint.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link RouterPlugin}. The author of a router extends this class and returns
 * its provider and example configurations.
 *
 * <pre>{@code
 * class OurRouterContractTest extends RouterPluginContract {
 *   @Override protected PluginProvider provider() { return new OurRouterProvider(); }
 * }
 * }</pre>
 */
public abstract class RouterPluginContract {
  /** A word in every prompt of the tests, which must not appear in recorded facts. */
  protected static final String MARKER = "zanzibar-7f3a91";

  /** The maximum size of facts in bytes, as in {@link RouterPlugin#facts}. */
  protected static final int MAX_FACTS = 1024;

  private static final List<Health> HEALTH =
      List.of(
          new Health(-1, -1, 0, Status.DOWN),
          new Health(60_000, 0.5, 3, Status.DOWN),
          new Health(2_500, 20, 91.5, Status.DEGRADED),
          Health.UNKNOWN, // the values that the catalog assumes
          new Health(40, 900, 100, Status.NORMAL),
          new Health(20_000, 1, 100, Status.NORMAL));

  /** The methods of a provider that run when a request is routed. */
  private static final Set<String> CREATION_METHODS = Set.of("descriptor", "create");

  private static final int CASES = 300;
  private static final int REPEATS = 5;

  // the maximum time of select(): far more than a computation needs, and less than one access to a
  // file or a network; every request waits for it
  private static final long MAX_SELECT_NANOS = 1_000_000;
  private static final int MANY_MODELS = 256;
  private static final int WARM_UP = 200;
  private static final int MEASURED = 101;
  private static final int MIN_MEASURED = 11;
  private static final long MAX_ROUND_NANOS = 1_000_000_000;
  private static final int ROUNDS = 3;

  /** More rounds are measured for a router that is not much slower than allowed. */
  private static final int MAX_ROUNDS = 20;

  private static final long HOPELESS_NANOS = 5 * MAX_SELECT_NANOS;

  /** Creates a provider, as a host does. */
  protected abstract PluginProvider provider();

  /**
   * Returns valid configurations of the router, without {@code id}. The tests always try the empty
   * configuration, too.
   */
  protected List<Json.Obj> validConfigs() {
    return List.of();
  }

  /** Returns configurations that the router's schema refuses, without {@code id}. */
  protected List<Json.Obj> invalidConfigs() {
    return List.of();
  }

  /**
   * Returns the catalog of the tests. The router must be able to tell any two of its models apart;
   * otherwise the catalog's order would decide between them.
   */
  protected Catalog catalog() {
    return RouterFixtures.catalog(48);
  }

  /**
   * Returns the requests of the tests; by default, short and long ones for each slug, with and
   * without a variant.
   */
  protected List<InferenceRequest> requests() {
    return RouterFixtures.requests(provider().descriptor(), MARKER);
  }

  private List<PluginConfig> configs() {
    var configs = new ArrayList<PluginConfig>();
    configs.add(PluginConfig.EMPTY);
    for (Json.Obj entry : validConfigs()) {
      var problems = new ArrayList<String>();
      configs.add(read(entry, problems));
      assertThat(problems).as("the schema takes %s", entry).isEmpty();
    }
    return configs;
  }

  private PluginConfig read(Json.Obj entry, List<String> problems) {
    var values = new LinkedHashMap<Field<?>, Object>();
    for (Field<?> field : provider().descriptor().schema().fields()) {
      Json member = entry.get(field.name());
      if (member != null) {
        values.put(
            field,
            field
                .reader()
                .read(
                    member,
                    (below, allowed, given) -> problems.add(field + below + ": " + allowed)));
      }
    }
    return new PluginConfig(values);
  }

  private static RouterPlugin router(
      PluginProvider provider, PluginConfig config, Catalog catalog) {
    Plugin plugin = provider.create(config, catalog);
    assertThat(plugin).as("what the provider makes of %s", config).isInstanceOf(RouterPlugin.class);
    return (RouterPlugin) plugin;
  }

  /** One decision: a router, and candidates that include the facts of a request. */
  private record Case(RouterPlugin router, FakeCandidates candidates) {
    Selection select() {
      return router.select(candidates);
    }
  }

  /**
   * Returns decisions that combine all configurations with random requests and random candidates.
   */
  private List<Case> cases(Catalog catalog) {
    PluginProvider provider = provider();
    var cases = new ArrayList<Case>();
    var random = new SplittableRandom(7);
    List<InferenceRequest> requests = requests();
    List<PluginConfig> configs = configs();
    for (int i = 0; i < CASES; i++) {
      RouterPlugin router = router(provider, configs.get(i % configs.size()), catalog);
      Json facts = router.facts(requests.get(random.nextInt(requests.size())));
      cases.add(new Case(router, randomCandidates(catalog, random).facts(facts)));
    }
    return cases;
  }

  private static FakeCandidates randomCandidates(Catalog catalog, SplittableRandom random) {
    int usableTenths = 1 + random.nextInt(10);
    var ordinals = new BitSet();
    FakeCandidates view = FakeCandidates.of(catalog);
    for (int i = 0; i < catalog.models().size(); i++) {
      ordinals.set(i, random.nextInt(10) < usableTenths);
      if (random.nextInt(8) == 0) {
        view = view.sticky(catalog.models().get(i).id());
      }
    }
    var dropped = new BitSet(); // single endpoints, so that some models are only partly usable
    for (int i = 0; i < catalog.endpoints().size(); i++) {
      dropped.set(i, random.nextInt(4) == 0);
    }
    return withHealth(view, random)
        .only(ordinals)
        .onlyEndpoints(endpoint -> !dropped.get(endpoint.ordinal()))
        .seed(random.nextLong());
  }

  /** Returns candidates with random health for some endpoints: down, degraded, fast or slow. */
  private static FakeCandidates withHealth(FakeCandidates view, SplittableRandom random) {
    FakeCandidates measured = view;
    for (Endpoint endpoint : view.catalog().endpoints()) {
      int place = random.nextInt(2 * HEALTH.size());
      if (place < HEALTH.size()) {
        measured = measured.health(endpoint.id(), HEALTH.get(place));
      }
    }
    return measured;
  }

  @Test
  @DisplayName("the descriptor has a valid id, a version, and slugs that callers can write")
  void descriptor() {
    Descriptor descriptor = provider().descriptor();
    assertThat(descriptor).isEqualTo(provider().descriptor());
    assertThat(descriptor.id()).matches("[a-z0-9]+(-[a-z0-9]+)*");
    assertThat(descriptor.version()).isNotBlank();
    assertThat(descriptor.slugs()).allMatch(slug -> slug.matches("[a-z0-9._-]+/[a-z0-9._-]+"));
    for (Field<?> field : descriptor.schema().fields()) {
      assertThat(field.doc()).as("what %s is for", field).isNotBlank();
      assertThat(field.schema().size()).as("the schema of %s", field).isPositive();
    }
  }

  @Test
  @DisplayName("the empty configuration creates a router, and so does every valid one")
  void defaults() {
    PluginProvider provider = provider();
    Catalog catalog = catalog();
    for (PluginConfig config : configs()) {
      assertThat(router(provider, config, catalog)).isNotNull();
    }
  }

  @Test
  @DisplayName("an invalid configuration is reported with its problems")
  void invalid() {
    for (Json.Obj entry : invalidConfigs()) {
      var problems = new ArrayList<String>();
      read(entry, problems);
      assertThat(problems).as("problems of %s", entry).isNotEmpty();
    }
  }

  @Test
  @DisplayName("facts are small and hold no text of the prompt")
  void facts() {
    PluginProvider provider = provider();
    Catalog catalog = catalog();
    for (PluginConfig config : configs()) {
      RouterPlugin router = router(provider, config, catalog);
      for (InferenceRequest request : requests()) {
        Json facts = router.facts(request);
        assertThat(facts).as("facts").isNotNull();
        byte[] written = written(facts);
        assertThat(written).as("facts").hasSizeLessThanOrEqualTo(MAX_FACTS);
        assertThat(new String(written, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT))
            .as("facts")
            .doesNotContain(MARKER);
        assertThat(router.facts(request)).as("facts read again").isEqualTo(facts);
      }
    }
  }

  private static byte[] written(Json facts) {
    var out = new JsonOutput(MAX_FACTS);
    facts.writeTo(out);
    return out.toByteArray();
  }

  @Test
  @DisplayName("only usable models and endpoints are chosen, and none twice")
  void offered() {
    for (Case one : cases(catalog())) {
      assertOffered(one.select(), one.candidates());
    }
  }

  private static void assertOffered(Selection selection, FakeCandidates candidates) {
    switch (selection) {
      case Selection.Models(var ids, var reason, var data) -> {
        assertThat(ids).as("chosen from %s", candidates).isNotEmpty().doesNotHaveDuplicates();
        for (String id : ids) {
          var model = candidates.catalog().model(id);
          assertThat(model).as("the model %s", id).isNotNull();
          assertThat(candidates.isUsable(Objects.requireNonNull(model).ordinal()))
              .as("%s is among %s", id, candidates)
              .isTrue();
        }
        assertThat(reason).isNotBlank();
      }
      case Selection.Endpoints(var ids, var reason, var data) -> {
        assertThat(ids).isNotEmpty().doesNotHaveDuplicates();
        var usable = new ArrayList<String>();
        for (var model : candidates.catalog().models()) {
          for (Endpoint endpoint : model.endpoints()) {
            if (candidates.isUsable(endpoint)) {
              usable.add(endpoint.id());
            }
          }
        }
        assertThat(usable).containsAll(ids);
        assertThat(reason).isNotBlank();
      }
      case Selection.Refusal(var code, var reason) -> assertThat(reason).isNotBlank();
      case Selection.Pass pass -> {
        // always allowed
      }
    }
  }

  @Test
  @DisplayName("the same facts and candidates give the same choice every time")
  void repeatable() {
    List<Case> cases = cases(catalog());
    List<Selection> first = cases.stream().map(Case::select).toList();
    for (int at = 0; at < cases.size(); at++) {
      for (int i = 0; i < REPEATS; i++) {
        assertThat(cases.get(at).select()).isEqualTo(first.get(at));
      }
    }
  }

  @Test
  @DisplayName("two threads at once decide the same as one thread")
  void concurrent() throws InterruptedException {
    List<Case> cases = cases(catalog());
    List<Selection> alone = cases.stream().map(Case::select).toList();
    List<List<Selection>> together = List.of(new ArrayList<>(), new ArrayList<>());
    var threads = new ArrayList<Thread>();
    for (List<Selection> selections : together) {
      threads.add(
          Thread.ofPlatform().start(() -> cases.forEach(one -> selections.add(one.select()))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(together).allSatisfy(selections -> assertThat(selections).isEqualTo(alone));
  }

  @Test
  @DisplayName("without a usable endpoint the router refuses or passes")
  void nothing() {
    PluginProvider provider = provider();
    for (Catalog catalog : List.of(catalog(), Catalog.builder("empty").build())) {
      for (PluginConfig config : configs()) {
        RouterPlugin router = router(provider, config, catalog);
        for (InferenceRequest request : requests()) {
          Selection selection =
              router.select(
                  FakeCandidates.of(catalog).only(new BitSet()).facts(router.facts(request)));
          assertThat(selection).isInstanceOfAny(Selection.Refusal.class, Selection.Pass.class);
        }
      }
    }
  }

  @Test
  @DisplayName("facts of another version, or none, are handled")
  void foreignFacts() {
    List<Json> foreign =
        List.of(
            Json.Obj.EMPTY,
            Json.NULL,
            Json.of(7),
            Json.array(Json.of("x")),
            Json.object().put("unknown_to_this_version", Json.object().build()).build());
    for (Case one : cases(catalog())) {
      for (Json facts : foreign) {
        assertOffered(one.router().select(one.candidates().facts(facts)), one.candidates());
      }
    }
  }

  @Test
  @DisplayName("the order of the models in the catalog does not change the choice")
  void order() {
    Catalog catalog = catalog();
    Catalog shuffled = RouterFixtures.shuffled(catalog, 11);
    PluginProvider provider = provider();
    var random = new SplittableRandom(5);
    for (PluginConfig config : configs()) {
      for (InferenceRequest request : requests()) {
        RouterPlugin one = router(provider, config, catalog);
        String[] left = RouterFixtures.randomModelIds(catalog, random);
        Json facts = one.facts(request);
        assertThat(
                router(provider, config, shuffled)
                    .select(FakeCandidates.of(shuffled).only(left).facts(facts)))
            .as("the choice over the same models in another order: break ties by id")
            .isEqualTo(one.select(FakeCandidates.of(catalog).only(left).facts(facts)));
      }
    }
  }

  @Test
  @DisplayName("a provider that has created many routers creates the same router as a new provider")
  void reusedProvider() {
    Catalog catalog = catalog();
    PluginProvider provider = provider();
    FakeCandidates all = FakeCandidates.of(catalog);
    for (int round = 0; round < 3; round++) {
      for (PluginConfig config : configs()) {
        for (InferenceRequest request : requests()) {
          RouterPlugin used = router(provider, config, catalog);
          PluginProvider fresh = provider();
          RouterPlugin secondRouter = router(fresh, config, catalog);
          assertThat(used.select(all.facts(used.facts(request))))
              .isEqualTo(secondRouter.select(all.facts(secondRouter.facts(request))));
        }
      }
    }
  }

  @Test
  @DisplayName(
      "its code uses no clock, randomness, threads, network, files or mutable static state")
  void code() {
    for (PluginCode code : codes()) {
      code.assertNoForbiddenUse(Set.of());
    }
  }

  /**
   * Returns the code of the router and of the provider's methods that create it. Tools of the same
   * provider have a contract test of their own.
   */
  private Set<PluginCode> codes() {
    PluginProvider provider = provider();
    Plugin router = provider.create(PluginConfig.EMPTY, catalog());
    var codes = new LinkedHashSet<>(PluginCode.of(router));
    codes.add(PluginCode.of(provider, CREATION_METHODS));
    return codes;
  }

  @Test
  @DisplayName("it leaves no thread behind, platform or virtual")
  void threads() throws InterruptedException {
    LeakedThreads.assertNone(codes(), () -> cases(catalog()).stream().map(Case::select).toList());
  }

  @Test
  @DisplayName("while it runs, its libraries use no network, files or sleeps")
  void libraries() throws Exception {
    RecordedUse.assertNone(
        codes(),
        Set.of(),
        () -> {
          List<Case> cases = cases(catalog()); // here, so that create() and facts() are checked
          cases.forEach(Case::select);
          return cases;
        });
  }

  @Test
  @DisplayName("while it runs, its libraries read no clock and take no random numbers")
  void clocks() throws Exception {
    RouterPluginContract again = RecordedCalls.rewrite(this, RouterPluginContract.class);
    RecordedCalls.assertNone(again.codes(), Set.of(), () -> again.decideAll(again.provider()));
  }

  /**
   * Returns the selections for all requests by newly created routers, so that create() and facts()
   * are checked, too.
   */
  private List<Selection> decideAll(PluginProvider provider) {
    Catalog catalog = catalog();
    var selections = new ArrayList<Selection>();
    for (PluginConfig config : configs()) {
      selections.addAll(decideAll(router(provider, config, catalog), catalog));
    }
    return selections;
  }

  private List<Selection> decideAll(RouterPlugin router, Catalog catalog) {
    return requests().stream()
        .map(request -> router.select(FakeCandidates.of(catalog).facts(router.facts(request))))
        .toList();
  }

  @Test
  @DisplayName("it keeps no state between decisions: its fields do not change")
  void keepsNothing() throws Exception {
    PluginProvider provider = provider();
    Catalog catalog = catalog();
    for (PluginConfig config : configs()) {
      RouterPlugin router = router(provider, config, catalog);
      PluginStateSnapshot.assertUnchanged(codes(), router, () -> decideAll(router, catalog));
    }
  }

  @Test
  @DisplayName("it decides over 256 models in less than a millisecond")
  void fast() {
    PluginProvider provider = provider();
    Catalog catalog = RouterFixtures.catalog(MANY_MODELS);
    for (PluginConfig config : configs()) {
      RouterPlugin router = router(provider, config, catalog);
      for (InferenceRequest request : requests()) {
        FakeCandidates all = FakeCandidates.of(catalog).facts(router.facts(request));
        long nanos = medianSelect(router, all);
        if (nanos > MAX_SELECT_NANOS) {
          throw new AssertionError(
              "select() takes %d microseconds over %d models (the median); at most %d are allowed. Compute what does not depend on the request once, in a PerCatalog field."
                  .formatted(nanos / 1000, MANY_MODELS, MAX_SELECT_NANOS / 1000));
        }
      }
    }
  }

  /**
   * Returns the lowest median of a few rounds, in nanoseconds. A router that is a little too slow
   * gets more rounds, because its code is compiled late on a busy machine.
   */
  private static long medianSelect(RouterPlugin router, FakeCandidates candidates) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < MAX_ROUNDS && best > MAX_SELECT_NANOS; round++) {
      if (round >= ROUNDS && best > HOPELESS_NANOS) {
        break;
      }
      // a fast router needs no warm-up
      selectNanos(router, candidates, round == 0 ? 1 : WARM_UP);
      long[] nanos = selectNanos(router, candidates, MEASURED);
      Arrays.sort(nanos);
      best = Math.min(best, nanos[nanos.length / 2]);
    }
    return best;
  }

  /**
   * Returns the time of each call in nanoseconds; makes fewer calls when the round takes longer
   * than a second.
   */
  private static long[] selectNanos(RouterPlugin router, FakeCandidates candidates, int count) {
    TestAmbient clock = TestAmbient.realTime();
    var nanos = new long[count];
    long roundStart = clock.nanoTime();
    for (int i = 0; i < count; i++) {
      long start = clock.nanoTime();
      if (i >= MIN_MEASURED && start - roundStart > MAX_ROUND_NANOS) {
        return Arrays.copyOf(nanos, i);
      }
      router.select(candidates);
      nanos[i] = clock.nanoTime() - start;
    }
    return nanos;
  }
}
