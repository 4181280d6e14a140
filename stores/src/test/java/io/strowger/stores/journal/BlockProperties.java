package io.strowger.stores.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@Label("A block of items")
class BlockProperties {
  private static final long FIRST = 1_000;

  @Provide
  Arbitrary<List<Posting>> postings() {
    return new JournalItemProperties().postings().list().ofMaxSize(12);
  }

  /** Returns the postings as items; every third one with a record becomes that record alone. */
  private static List<NumberedItem> items(List<Posting> postings) {
    var items = new ArrayList<NumberedItem>();
    for (Posting posting : postings) {
      Generation record = posting.record();
      JournalItem item =
          record != null && items.size() % 3 == 0
              ? new JournalItem.Generation(record)
              : new JournalItem.Lines(posting);
      items.add(new NumberedItem(FIRST + 2L * items.size(), item));
    }
    return items;
  }

  private static BlockWriter writeBlock(List<NumberedItem> items) {
    var block = new BlockWriter(FIRST);
    items.forEach(block::add);
    return block;
  }

  @Property(tries = 300)
  @Label("contains all lines, each with its number and accounts")
  void lines(@ForAll("postings") List<Posting> postings) throws IOException {
    var expected = new ArrayList<NumberedItem>();
    for (NumberedItem item : items(postings)) {
      if (item.item() instanceof JournalItem.Lines(Posting posting)) {
        var lines = new Posting(posting.entries(), posting.accounts());
        expected.add(new NumberedItem(item.number(), new JournalItem.Lines(lines)));
      }
    }
    byte[] lines = writeBlock(items(postings)).lines();
    assertThat(lines == null ? List.of() : BlockReader.lines(lines, FIRST)).isEqualTo(expected);
  }

  @Property(tries = 300)
  @Label("contains all records, of those with one id the last")
  void records(@ForAll("postings") List<Posting> postings) throws IOException {
    Map<String, NumberedItem> expected = new LinkedHashMap<>();
    for (NumberedItem item : items(postings)) {
      Generation record = item.item().record();
      if (record != null) {
        expected.put(
            record.id(), new NumberedItem(item.number(), new JournalItem.Generation(record)));
      }
    }
    byte[] records = writeBlock(items(postings)).records();
    assertThat(records == null).isEqualTo(expected.isEmpty());
    if (records != null) {
      for (Map.Entry<String, NumberedItem> each : expected.entrySet()) {
        assertThat(BlockReader.find(records, FIRST, each.getKey())).isEqualTo(each.getValue());
      }
      assertThat(BlockReader.find(records, FIRST, "no such \0")).isNull();
    }
  }

  @Property(tries = 300)
  @Label("with changed bytes is refused, or read as another block, and causes no other failure")
  void hostile(
      @ForAll("postings") List<Posting> postings,
      @ForAll List<Integer> positions,
      @ForAll List<Byte> values) {
    BlockWriter block = writeBlock(items(postings));
    byte[] lines = block.lines();
    if (lines != null) {
      damage(lines, positions, values);
      readOrRefuse(() -> BlockReader.lines(lines, FIRST));
      readOrRefuse(() -> BlockReader.lines(Arrays.copyOf(lines, lines.length / 2), FIRST));
    }
    byte[] records = block.records();
    if (records != null) {
      damage(records, positions, values);
      readOrRefuse(() -> BlockReader.find(records, FIRST, "a"));
      readOrRefuse(() -> BlockReader.find(Arrays.copyOf(records, records.length / 2), FIRST, "a"));
    }
  }

  private static void damage(byte[] bytes, List<Integer> positions, List<Byte> values) {
    for (int i = 0; i < Math.min(positions.size(), values.size()); i++) {
      bytes[Math.floorMod(positions.get(i), bytes.length)] = values.get(i);
    }
  }

  /** A read that may find damage. */
  private interface ReadAction {
    @Nullable Object read() throws IOException;
  }

  private static void readOrRefuse(ReadAction action) {
    try {
      action.read();
    } catch (IOException refused) {
      assertThat(refused)
          .hasMessageMatching(
              "(?s).*known.*|.*cannot be (?:decoded|read).*|.*without ledger lines.*|.*later"
                  + " version.*");
    }
  }

  @Property(tries = 1)
  @Label("of a later version is refused with a message")
  void later() {
    byte[] later = {2, 0};
    assertThatThrownBy(() -> BlockReader.lines(later, 0))
        .hasMessage("a block of format 2 was written by a later version; run that version");
    assertThatThrownBy(() -> BlockReader.find(later, 0, "a"))
        .hasMessage("a block of format 2 was written by a later version; run that version");
  }
}
