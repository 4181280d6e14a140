package io.strowger.core.attempt;

import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.perMillion;
import static io.strowger.tck.Given.provider;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The sticky endpoint")
class StickinessTest {
  private static final String MODEL = "acme/large";
  private static final ModelRef REF = ModelRef.parse(MODEL);
  private static final Usage PLAIN = usage(10, 1);
  private static final Usage CACHED = Usage.builder().freshInput(1).cacheRead(9).build();
  private static final Usage WRITTEN = Usage.builder().freshInput(1).cacheWrite5m(9).build();
  private static final Usage WRITTEN_LONG = Usage.builder().freshInput(1).cacheWrite1h(9).build();
  private static final Endpoint CHEAP_CACHE = caching("gamma", 99_999);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Stickiness stickiness = new Stickiness(ambient);

  /** Returns an endpoint whose prompt tokens cost 100,000 picodollars if they are not cached. */
  private static Endpoint caching(String provider, long cacheReadPicos) {
    Pricing plain = perMillion("0.1", "0.1");
    return Endpoint.builder(MODEL, provider(provider))
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, plain.price(Price.PROMPT))
                .set(Price.COMPLETION, plain.price(Price.COMPLETION))
                .set(Price.INPUT_CACHE_READ, new UnitPrice(cacheReadPicos))
                .build())
        .build();
  }

  private static InferenceRequest conversation(@Nullable String session, String... messages) {
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(
            Stream.of(messages)
                .map(
                    text ->
                        text.startsWith("system ")
                            ? Message.text(Message.Role.SYSTEM, text)
                            : Message.text(Message.Role.USER, text))
                .toList())
        .sessionId(session)
        .build();
  }

  private static InferenceRequest withCacheKey(InferenceRequest request, String key) {
    return request.toBuilder().member("prompt_cache_key", Json.of(key)).build();
  }

  private void recordSuccess(InferenceRequest request, Endpoint endpoint, Usage usage) {
    stickiness.conversation("me", request).recordSuccess(REF, endpoint, usage);
  }

  private List<String> stickyEndpoints(InferenceRequest request) {
    return stickiness.conversation("me", request).endpoints(List.of(REF));
  }

  @Nested
  @DisplayName("of a conversation with a session id")
  class Named {
    @Proves({"routing.sticky.when", "routing.sticky.ST-1"})
    @Test
    @DisplayName("is remembered after any success (ST-1)")
    void anySuccess() {
      recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
      assertThat(stickyEndpoints(conversation("s", "two"))).containsExactly("acme/large@gamma");
      assertThat(stickyEndpoints(conversation("t", "one"))).isEmpty();
    }

    @Proves({"routing.sticky.ttl", "routing.sticky.ST-3", "open.4"})
    @Test
    @DisplayName("is forgotten ten minutes after the last success (ST-3)")
    void ends() {
      recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(10).minusNanos(1));
      assertThat(stickyEndpoints(conversation("s", "x"))).hasSize(1);
      ambient.advance(Duration.ofNanos(1));
      assertThat(stickyEndpoints(conversation("s", "x"))).isEmpty();
    }

    @Proves("routing.sticky.ttl")
    @Test
    @DisplayName("is remembered longer after a success, but not after a lookup")
    void renewed() {
      recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      recordSuccess(conversation("s", "two"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      assertThat(stickyEndpoints(conversation("s", "x"))).hasSize(1);
      ambient.advance(Duration.ofMinutes(1));
      assertThat(stickyEndpoints(conversation("s", "x"))).isEmpty();
    }

    @Proves("routing.sticky.value")
    @Test
    @DisplayName("is replaced by the endpoint of the next success")
    void follows() {
      recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
      recordSuccess(conversation("s", "two"), caching("alpha", 0), PLAIN);
      assertThat(stickyEndpoints(conversation("s", "x"))).containsExactly("acme/large@alpha");
    }

    @Test
    @DisplayName("is not found by a cache key or message with the same text as the session id")
    void kinds() {
      recordSuccess(conversation("s", "one"), CHEAP_CACHE, CACHED);
      assertThat(stickyEndpoints(withCacheKey(conversation(null, "one"), "s"))).isEmpty();
      assertThat(stickyEndpoints(conversation(null, "s"))).isEmpty();
    }

    @Proves("routing.sticky.key")
    @Test
    @DisplayName("is found only by the session id, not by the cache key or the messages")
    void wins() {
      recordSuccess(withCacheKey(conversation("s", "one"), "k"), CHEAP_CACHE, CACHED);
      assertThat(stickyEndpoints(withCacheKey(conversation(null, "one"), "k"))).isEmpty();
      assertThat(stickyEndpoints(withCacheKey(conversation("s", "two"), "l"))).hasSize(1);
    }
  }

  @Nested
  @DisplayName("of a conversation without a session id")
  class Recognised {
    @Proves({"routing.sticky.when", "routing.sticky.ST-2", "open.6"})
    @Test
    @DisplayName("is not remembered while no prompt cache was used (ST-2)")
    void noCache() {
      recordSuccess(conversation(null, "one"), CHEAP_CACHE, PLAIN);
      recordSuccess(withCacheKey(conversation(null, "one"), "k"), CHEAP_CACHE, PLAIN);
      assertThat(stickyEndpoints(conversation(null, "one", "two"))).isEmpty();
      assertThat(stickyEndpoints(withCacheKey(conversation(null, "one"), "k"))).isEmpty();
    }

    @Proves({"routing.sticky.when", "open.6"})
    @Test
    @DisplayName("is remembered after tokens were read from a cache or written to one")
    void cache() {
      List<Usage> usages = List.of(CACHED, WRITTEN, WRITTEN_LONG);
      for (int i = 0; i < usages.size(); i++) {
        InferenceRequest first = conversation(null, "conversation " + i);
        assertThat(stickyEndpoints(first)).isEmpty();
        recordSuccess(first, CHEAP_CACHE, usages.get(i));
        assertThat(stickyEndpoints(first)).as("%s", i).hasSize(1);
      }
    }

    @Test
    @DisplayName("is remembered longer after its own success, and not replaced after another's")
    void renewed() {
      recordSuccess(conversation(null, "one"), CHEAP_CACHE, CACHED);
      ambient.advance(Duration.ofMinutes(9));
      recordSuccess(conversation(null, "one", "two"), CHEAP_CACHE, PLAIN);
      recordSuccess(conversation(null, "one", "two"), caching("alpha", 0), PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      assertThat(stickyEndpoints(conversation(null, "one"))).containsExactly("acme/large@gamma");
    }

    @Proves({"routing.sticky.key", "open.5"})
    @Test
    @DisplayName("is found by the first system message and the first other message")
    void words() {
      recordSuccess(conversation(null, "system a", "one", "system b", "two"), CHEAP_CACHE, CACHED);
      assertThat(stickyEndpoints(conversation(null, "system a", "one"))).hasSize(1);
      assertThat(stickyEndpoints(conversation(null, "one", "system a", "three"))).hasSize(1);
      assertThat(stickyEndpoints(conversation(null, "system b", "one"))).isEmpty();
      assertThat(stickyEndpoints(conversation(null, "system a", "two"))).isEmpty();
      assertThat(stickyEndpoints(conversation(null, "one"))).isEmpty();
      assertThat(stickyEndpoints(conversation(null, "system a"))).isEmpty();
    }

    @Proves("routing.sticky.key")
    @Test
    @DisplayName("is found by the cache key instead of the messages if there is one")
    void cacheKeyFirst() {
      recordSuccess(withCacheKey(conversation(null, "one"), "k"), CHEAP_CACHE, CACHED);
      assertThat(stickyEndpoints(withCacheKey(conversation(null, "two"), "k"))).hasSize(1);
      assertThat(stickyEndpoints(withCacheKey(conversation(null, "one"), "l"))).isEmpty();
      assertThat(stickyEndpoints(conversation(null, "one"))).isEmpty();
    }
  }

  @Proves("routing.sticky.ST-5")
  @Test
  @DisplayName("is not used for a request with its own order of providers (ST-5)")
  void order() {
    recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
    InferenceRequest ordered =
        conversation("s", "two").toBuilder()
            .preferences(ProviderPreferences.builder().order(List.of("alpha")).build())
            .build();
    assertThat(stickyEndpoints(ordered)).isEmpty();
  }

  @Proves("routing.sticky.when")
  @Test
  @DisplayName("is remembered only if its cached tokens cost less than uncached ones")
  void cheaperOnly() {
    recordSuccess(conversation("s", "one"), caching("beta", 100_000), CACHED);
    recordSuccess(conversation("s", "one"), endpoint("alpha", MODEL, "0.1"), CACHED);
    assertThat(stickyEndpoints(conversation("s", "two"))).isEmpty();
    recordSuccess(conversation("s", "one"), caching("beta", 99_999), CACHED);
    assertThat(stickyEndpoints(conversation("s", "two"))).hasSize(1);
  }

  @Proves("routing.sticky.chat-only")
  @ParameterizedTest
  @EnumSource(value = Endpoint.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "CHAT")
  @DisplayName("is remembered for chat only")
  void chatOnly(Endpoint.Kind kind) {
    recordSuccess(conversation("s", "one"), CHEAP_CACHE.toBuilder().kind(kind).build(), CACHED);
    assertThat(stickyEndpoints(conversation("s", "two"))).isEmpty();
  }

  @Test
  @DisplayName("is remembered for one owner and one requested model, in upper or lower case")
  void perOwnerAndModel() {
    recordSuccess(conversation("s", "one"), CHEAP_CACHE, PLAIN);
    InferenceRequest next = conversation("s", "two");
    assertThat(stickiness.conversation("you", next).endpoints(List.of(REF))).isEmpty();
    assertThat(stickiness.conversation("me", next).endpoints(List.of(ModelRef.parse("acme/small"))))
        .isEmpty();
    assertThat(
            stickiness
                .conversation("me", next)
                .endpoints(List.of(ModelRef.parse("acme/small"), ModelRef.parse("ACME/Large"))))
        .containsExactly("acme/large@gamma");
  }

  @Test
  @DisplayName("is not found by a message with additional white space")
  void whiteSpace() {
    recordSuccess(request(MODEL, "one"), CHEAP_CACHE, CACHED);
    assertThat(stickyEndpoints(request(MODEL, "one"))).hasSize(1);
    assertThat(stickyEndpoints(request(MODEL, "one "))).isEmpty();
  }
}
