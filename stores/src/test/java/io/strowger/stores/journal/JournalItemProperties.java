package io.strowger.stores.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("An item of the journal")
class JournalItemProperties {
  /** The item that {@link JournalItems#lines} makes for the number 3, in format 1. */
  private static final String EARLIER_LINES =
      "01010567656e2d3300c0f087d8068094ef3a1061636d652f6c6172676523616c706861000101eb07"
          + "0000000007000000000000030001076b65793a61626303616c6c";

  /** A record in format 1. */
  private static final String EARLIER_GENERATION =
      "020567656e2d31076b65793a616263c0f087d8068094ef3a077b2261223a317d01077b2261223a31" + "7d";

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
        Combinators.combine(counts.list().ofSize(15), Arbitraries.of(true, false))
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
                        .characters(n.get(12))
                        .searchUnits(n.get(13))
                        .seconds(n.get(14))
                        .estimated(estimated)
                        .build());
    Arbitrary<Charge> charges =
        Combinators.combine(amounts, amounts).as((a, b) -> new Charge(new Usd(a), new Usd(b)));
    Arbitrary<LedgerEntry> entries =
        Combinators.combine(
                texts.map(JournalItemProperties::withoutLoneSurrogates),
                Arbitraries.integers().greaterOrEqual(0),
                moments,
                texts.map(JournalItemProperties::withoutLoneSurrogates),
                texts.map(JournalItemProperties::withoutLoneSurrogates),
                Arbitraries.of(CallRecord.Outcome.values()),
                usages,
                charges)
            .as(LedgerEntry::new);
    Arbitrary<Posting.Account> accounts =
        Combinators.combine(
                Arbitraries.oneOf(
                    texts.map(JournalItemProperties::withoutLoneSurrogates), payers()),
                Arbitraries.oneOf(
                    Arbitraries.of("all", "2026-11"),
                    texts.map(JournalItemProperties::withoutLoneSurrogates)))
            .as(Posting.Account::new);
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
    Arbitrary<String> names =
        texts
            .map(JournalItemProperties::withoutLoneSurrogates)
            .filter(text -> Document.isValidId(text));
    Arbitrary<Generation> records =
        Combinators.combine(names, names, moments, bytes, bytes.injectNull(0.7))
            .as(Generation::new);
    return Combinators.combine(
            entries.list().ofMinSize(1).ofMaxSize(4),
            accounts.list().ofMaxSize(4),
            records.injectNull(0.3))
        .as(Posting::new);
  }

  /** Generates the names of payers: keys, and texts that look like keys. */
  private static Arbitrary<String> payers() {
    String digits = "0123456789abcdef".repeat(4);
    return Arbitraries.of(
        "key:" + digits,
        "key:" + digits.replace('a', 'A'),
        "key:" + digits.replace('0', 'g'),
        "key:" + digits + "0",
        "key:" + digits.substring(1),
        "kex:" + digits,
        "account:default",
        "x".repeat(127),
        "x".repeat(128),
        "x".repeat(20_000) + "\u00e9",
        "x".repeat(126) + "\u4e2d");
  }

  /** Removes lone surrogates, which no line contains: ids and names are decoded strictly. */
  private static String withoutLoneSurrogates(String text) {
    var out = new StringBuilder();
    text.codePoints()
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  private static byte[] pack(JournalItem item) {
    byte[] frame = ItemCodec.pack(item);
    return Arrays.copyOfRange(frame, JournalFrame.HEADER, frame.length);
  }

  @Property
  @Label("is read as it was written")
  void roundTrip(@ForAll("postings") Posting posting) throws IOException {
    var lines = new JournalItem.Lines(posting);
    assertThat(ItemCodec.unpack(pack(lines))).isEqualTo(lines);
  }

  @Property
  @Label("of a record alone is read as it was written")
  void records(@ForAll("postings") Posting posting) throws IOException {
    Generation record = posting.record();
    if (record != null) {
      var item = new JournalItem.Generation(record);
      assertThat(ItemCodec.unpack(pack(item))).isEqualTo(item);
    }
  }

  @Property(tries = 500)
  @Label("with changed bytes is refused, or read as another item, and causes no other failure")
  void hostile(
      @ForAll("postings") Posting posting,
      @ForAll List<Integer> positions,
      @ForAll List<Byte> values) {
    byte[] bytes = pack(new JournalItem.Lines(posting));
    for (int i = 0; i < Math.min(positions.size(), values.size()); i++) {
      bytes[Math.floorMod(positions.get(i), bytes.length)] = values.get(i);
    }
    try {
      assertThat(ItemCodec.unpack(bytes)).isNotNull();
    } catch (IOException refused) {
      assertThat(refused)
          .hasMessageMatching(
              "(?s).*known.*|.*cannot be (read|decoded).*|.*without ledger lines.*");
    }
  }

  @Example
  @Label("of an earlier version is read")
  void earlier() throws IOException {
    byte[] lines = HexFormat.of().parseHex(EARLIER_LINES);
    Posting posting = ((JournalItem.Lines) JournalItems.lines(3)).posting();
    assertThat(ItemCodec.unpack(lines)).isEqualTo(new JournalItem.Lines(posting));
    byte[] record = HexFormat.of().parseHex(EARLIER_GENERATION);
    byte[] json = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    assertThat(ItemCodec.unpack(record))
        .isEqualTo(
            new JournalItem.Generation(
                new Generation("gen-1", "key:abc", JournalItems.AT, json, json)));
  }

  @Property(tries = 200)
  @Label("that ends too early or too late is refused, never misread")
  void shortened(@ForAll("postings") Posting posting) {
    byte[] whole = pack(new JournalItem.Lines(posting));
    for (int length = 0; length < whole.length; length += 1 + whole.length / 40) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ItemCodec.unpack(part)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> ItemCodec.unpack(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(IOException.class);
  }
}
