package io.strowger.stores.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("An item of the journal")
class ItemProperties {
  @Provide
  Arbitrary<Posting> postings() {
    Arbitrary<Long> counts = Arbitraries.longs().between(0, Long.MAX_VALUE / 20);
    Arbitrary<Long> amounts = Arbitraries.longs();
    Arbitrary<String> texts = Arbitraries.strings().ofMaxLength(40);
    Arbitrary<Instant> moments =
        Combinators.combine(
                Arbitraries.longs().between(-10_000_000_000L, 10_000_000_000L),
                Arbitraries.integers().between(0, 999_999_999))
            .as(Instant::ofEpochSecond);
    Arbitrary<Usage> usages =
        Combinators.combine(counts.list().ofSize(12), Arbitraries.of(true, false))
            .as(
                (n, estimated) ->
                    Usage.builder()
                        .freshInput(n.get(0))
                        .inputAudio(n.get(1))
                        .cacheRead(n.get(2))
                        .cacheWrite5m(n.get(3))
                        .cacheWrite1h(n.get(4))
                        .outputText(n.get(5))
                        .reasoning(n.get(6))
                        .outputAudio(n.get(7))
                        .images(n.get(8))
                        .searches(n.get(9))
                        .toolCallsRequested(n.get(10))
                        .toolCallsExecuted(n.get(11))
                        .estimated(estimated)
                        .build());
    Arbitrary<Charge> charges =
        Combinators.combine(amounts, amounts).as((a, b) -> new Charge(new Usd(a), new Usd(b)));
    Arbitrary<Entry> entries =
        Combinators.combine(
                texts.map(ItemProperties::scalars),
                Arbitraries.integers().greaterOrEqual(0),
                moments,
                texts.map(ItemProperties::scalars),
                texts.map(ItemProperties::scalars),
                Arbitraries.of(CallRecord.Outcome.values()),
                usages,
                charges)
            .as(Entry::new);
    Arbitrary<Posting.Account> accounts =
        Combinators.combine(texts.map(ItemProperties::scalars), texts.map(ItemProperties::scalars))
            .as(Posting.Account::new);
    return Combinators.combine(
            entries.list().ofMinSize(1).ofMaxSize(4), accounts.list().ofMaxSize(4))
        .as(Posting::new);
  }

  /** Text without lone surrogates, which no line has: ids and names are decoded strictly. */
  private static String scalars(String text) {
    var out = new StringBuilder();
    text.codePoints()
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  private static byte[] packed(Item item) {
    byte[] frame = ItemCodec.pack(item);
    return Arrays.copyOfRange(frame, Frame.HEADER, frame.length);
  }

  @Property
  @Label("is read as it was written")
  void roundTrip(@ForAll("postings") Posting posting) throws IOException {
    var lines = new Item.Lines(posting);
    assertThat(ItemCodec.unpack(packed(lines))).isEqualTo(lines);
  }

  @Property(tries = 200)
  @Label("that ends too early or too late is refused, never misread")
  void shortened(@ForAll("postings") Posting posting) {
    byte[] whole = packed(new Item.Lines(posting));
    for (int length = 0; length < whole.length; length += 1 + whole.length / 40) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ItemCodec.unpack(part)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> ItemCodec.unpack(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(IOException.class);
  }
}
