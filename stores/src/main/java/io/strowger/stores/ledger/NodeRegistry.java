package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import java.time.Instant;
import java.util.List;

/**
 * Shows an operator the nodes that share a database, and releases those that are gone for good.
 * Does not become a node itself. Safe on any thread; methods wait at most two seconds for the
 * database and then throw {@link io.strowger.spi.store.StoreUnavailableException}.
 */
public final class NodeRegistry implements AutoCloseable {
  private final Database database;
  private final Ambient ambient;

  /**
   * A node, which is one start of a process.
   *
   * @param beganAt when it began, by the database's clock
   * @param seenAt when it was last seen, by the database's clock
   * @param gone whether it ended or was not seen for half a minute
   * @param ended whether it ended, so that it writes nothing more
   * @param strandedAmount the money it was granted and is not known to have spent; zero unless it
   *     is gone
   */
  public record Node(
      String id,
      Instant beganAt,
      Instant seenAt,
      boolean gone,
      boolean ended,
      Usd strandedAmount) {}

  private NodeRegistry(Database database, Ambient ambient) {
    this.database = database;
    this.ambient = ambient;
  }

  /**
   * Opens the database.
   *
   * @throws io.strowger.spi.store.StoreRefusedException when the database cannot be opened as it is
   * @throws io.strowger.spi.store.StoreUnavailableException when the database cannot be reached now
   */
  public static NodeRegistry open(DatabaseSettings settings, Ambient ambient) {
    return new NodeRegistry(Database.open(settings, ambient), ambient);
  }

  /** Returns the nodes that are running and those that left slices behind. */
  public List<Node> nodes() {
    return database.query("list nodes", handle -> Nodes.list(handle, ambient.now()));
  }

  /**
   * Frees the slices of a node: money it spent without recording it can then be spent again.
   *
   * @return false when there is no such node or it is alive
   */
  public boolean release(String node) {
    return database.inTransaction(
        "release a node", handle -> Nodes.release(handle, node, Nodes.ENDED_NODES));
  }

  @Override
  public void close() {
    database.close();
  }
}
