package io.strowger.stores.ledger;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.stores.batches.JdbcBatches;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.generations.JdbcGenerations;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.Journals;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that share a database, and that a test starts and kills. Time stands still, so that lines
 * reach the database only when the test flushes a node.
 */
final class Cluster implements AutoCloseable {
  private final TestAmbient ambient;
  private final Database database;
  private final boolean ownsDatabase;
  private final Path directory;
  private final Map<Integer, Node> nodes = new TreeMap<>();

  private Cluster(TestAmbient ambient, Database database, boolean ownsDatabase, Path directory) {
    this.ambient = ambient;
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    this.directory = directory;
  }

  /** Opens a cluster with a database, which is closed with the cluster. */
  static Cluster open(String url, @Nullable String user, Path directory) {
    var ambient = TestAmbient.at("2026-11-21T12:00:00Z");
    var settings = new DatabaseSettings(url, user, Credential.NONE);
    return new Cluster(ambient, Database.open(settings, ambient), true, directory);
  }

  /** Returns a cluster of other nodes on the same database. */
  Cluster in(Path elsewhere) {
    return new Cluster(ambient, database, false, elsewhere);
  }

  Database database() {
    return database;
  }

  /** Returns all lines of the books. */
  List<LedgerLines.Line> lines() {
    var lines = new ArrayList<LedgerLines.Line>();
    try {
      LedgerLines.read(database, lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  TestAmbient ambient() {
    return ambient;
  }

  /** Returns a running node, which is started if necessary. */
  Node node(int number) {
    return node(number, "boot");
  }

  Node node(int number, String boot) {
    Node node = nodes.get(number);
    return node == null ? start(number, boot) : node;
  }

  /**
   * Starts a process on the node.
   *
   * @param boot the id of its machine's boot
   */
  Node start(int number, String boot) {
    return start(number, boot, new FaultyJournalSink());
  }

  /**
   * Starts a process on the node.
   *
   * @param faults the faults from its start on
   */
  Node start(int number, String boot, FaultyJournalSink faults) {
    try {
      Journal journal = Journals.open(path(number), ambient, boot);
      try {
        var generations = new JdbcGenerations(database, journal);
        GenerationRecordSink generationRecordSink = faults.records(generations);
        JdbcLedger ledger =
            JdbcLedger.open(database, journal, ambient, faults, generationRecordSink);
        var node = new Node(number, journal, ledger, generations, faults);
        nodes.put(number, node);
        return node;
      } catch (IOException | RuntimeException e) {
        journal.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path(int number) {
    return directory.resolve("node-" + number);
  }

  /** A process of a node. */
  final class Node {
    private final int number;
    private final Journal journal;
    private final JdbcLedger ledger;
    private final GenerationStore generations;
    private final BatchStore batches;
    private final FaultyJournalSink faults;

    private Node(
        int number,
        Journal journal,
        JdbcLedger ledger,
        GenerationStore generations,
        FaultyJournalSink faults) {
      this.generations = generations;
      this.batches = new JdbcBatches(database, id(journal), generations, new JacksonCodec());
      this.number = number;
      this.journal = journal;
      this.ledger = ledger;
      this.faults = faults;
    }

    LedgerStore ledger() {
      return ledger;
    }

    GenerationStore generations() {
      return generations;
    }

    FaultyJournalSink faults() {
      return faults;
    }

    BatchStore batches() {
      return batches;
    }

    String id() {
      return id(journal);
    }

    private static String id(Journal journal) {
      return journal.node().toString();
    }

    Journal journal() {
      return journal;
    }

    /** Writes the journal to the database; returns whether all of it is there. */
    boolean flush() {
      return ledger.flush();
    }

    /** Ends the process at once, without any clean-up. */
    void kill() {
      ledger.stop();
      closeJournal();
    }

    /** Ends the process properly. */
    void close() {
      ledger.close();
      closeJournal();
    }

    private void closeJournal() {
      nodes.remove(number);
      try {
        journal.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    for (Node node : nodes.values().toArray(new Node[0])) {
      node.close();
    }
    if (ownsDatabase) {
      database.close();
      ambient.assertNoThreadsLeft();
    }
  }
}
