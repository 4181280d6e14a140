package io.strowger.stores.journal;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Items as bytes and back. The numbers that stand for kinds and outcomes are in files that older
 * and newer versions read: they are never given to something else.
 */
final class ItemCodec {
  private static final int LINES = 1;
  private static final int GENERATION = 2;
  private static final int FORCED = 3;
  private static final int CLOSED = 4;
  private static final int TYPICAL = 512;

  private ItemCodec() {}

  /** Behind room for a frame's header. */
  static byte[] pack(Item item) {
    var out = new Packer(Frame.HEADER, TYPICAL);
    switch (item) {
      case Item.Lines(Posting posting) -> lines(out.octet(LINES), posting);
      case Item.Generation g ->
          out.octet(GENERATION)
              .text(g.id())
              .text(g.owner())
              .moment(g.at())
              .block(g.record())
              .maybe(g.content());
      case Item.Forced(long before) -> out.octet(FORCED).number(before);
      case Item.Closed() -> out.octet(CLOSED);
    }
    return out.bytes();
  }

  static Item unpack(byte[] content) throws IOException {
    var in = new Unpacker(content);
    int kind = in.octet();
    Item item =
        switch (kind) {
          case LINES -> new Item.Lines(posting(in));
          case GENERATION ->
              new Item.Generation(in.text(), in.text(), in.moment(), in.block(), in.maybe());
          case FORCED -> new Item.Forced(in.number());
          case CLOSED -> new Item.Closed();
          default -> throw new IOException("kind " + kind + " of record is not known");
        };
    in.end();
    return item;
  }

  private static void lines(Packer out, Posting posting) {
    out.number(posting.entries().size());
    for (Entry entry : posting.entries()) {
      out.text(entry.generation())
          .number(entry.act())
          .moment(entry.at())
          .text(entry.what())
          .text(entry.ownKey())
          .octet(code(entry.outcome()));
      usage(out, entry.usage());
      out.number(entry.charge().credits().nanos()).number(entry.charge().ownKeys().nanos());
    }
    out.number(posting.accounts().size());
    for (Posting.Account account : posting.accounts()) {
      out.text(account.payer()).text(account.window());
    }
  }

  private static Posting posting(Unpacker in) throws IOException {
    int size = in.count();
    var entries = new ArrayList<Entry>(size);
    for (int i = 0; i < size; i++) {
      entries.add(
          new Entry(
              in.text(),
              (int) in.number(),
              in.moment(),
              in.text(),
              in.text(),
              outcome(in.octet()),
              usage(in),
              new Charge(new Usd(in.number()), new Usd(in.number()))));
    }
    int places = in.count();
    List<Posting.Account> accounts = new ArrayList<>(places);
    for (int i = 0; i < places; i++) {
      accounts.add(new Posting.Account(in.text(), in.text()));
    }
    return new Posting(entries, accounts);
  }

  private static int code(CallRecord.Outcome outcome) {
    return switch (outcome) {
      case COMPLETE -> 1;
      case ERROR -> 2;
      case CANCELLED -> 3;
    };
  }

  private static CallRecord.Outcome outcome(int code) throws IOException {
    return switch (code) {
      case 1 -> CallRecord.Outcome.COMPLETE;
      case 2 -> CallRecord.Outcome.ERROR;
      case 3 -> CallRecord.Outcome.CANCELLED;
      default -> throw new IOException("outcome " + code + " is not known");
    };
  }

  private static void usage(Packer out, Usage usage) {
    out.octet(usage.estimated() ? 1 : 0)
        .number(usage.freshInput())
        .number(usage.inputAudio())
        .number(usage.cacheRead())
        .number(usage.cacheWrite5m())
        .number(usage.cacheWrite1h())
        .number(usage.outputText())
        .number(usage.reasoning())
        .number(usage.outputAudio())
        .number(usage.images())
        .number(usage.searches())
        .number(usage.toolCallsRequested())
        .number(usage.toolCallsExecuted());
  }

  private static Usage usage(Unpacker in) throws IOException {
    return Usage.builder()
        .estimated(in.octet() == 1)
        .freshInput(in.number())
        .inputAudio(in.number())
        .cacheRead(in.number())
        .cacheWrite5m(in.number())
        .cacheWrite1h(in.number())
        .outputText(in.number())
        .reasoning(in.number())
        .outputAudio(in.number())
        .images(in.number())
        .searches(in.number())
        .toolCallsRequested(in.number())
        .toolCallsExecuted(in.number())
        .build();
  }
}
