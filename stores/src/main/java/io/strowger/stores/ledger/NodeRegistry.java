package io.strowger.stores.ledger;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import java.time.Instant;
import java.util.List;

/**
 * Where an operator sees the nodes that share a database, and releases those that are gone for
 * good. Is no node itself. Safe on any thread; methods wait two seconds at most, and then throw
 * {@link io.strowger.spi.store.StoreUnavailableException}.
 */
public final class NodeRegistry implements AutoCloseable {
  private final Database database;
  private final Ambient ambient;

  /**
   * One start of a process.
   *
   * @param began by the database's clock, as is the next
   * @param seen last
   * @param gone it ended, or was not seen for half a minute
   * @param ended nothing more is to come of it
   * @param stranded what it was granted and is not known to have spent; zero while it is not gone
   */
  public record Node(
      String id, Instant began, Instant seen, boolean gone, boolean ended, Usd stranded) {}

  private NodeRegistry(Database database, Ambient ambient) {
    this.database = database;
    this.ambient = ambient;
  }

  /**
   * @throws io.strowger.spi.store.StoreRefusedException when the database cannot be opened as it is
   * @throws io.strowger.spi.store.StoreUnavailableException when it cannot be reached now
   */
  public static NodeRegistry open(DatabaseSettings settings, Ambient ambient) {
    return new NodeRegistry(Database.open(settings, ambient), ambient);
  }

  /** Nodes that spend, and those that left something behind. */
  public List<Node> nodes() {
    return database.ask("list nodes", handle -> Nodes.list(handle, ambient.now()));
  }

  /**
   * Frees the slices of a node: what it spent and did not write down may be spent again.
   *
   * @return false when there is no such node, or it is alive
   */
  public boolean release(String node) {
    return database.inTransaction(
        "release a node", handle -> Nodes.release(handle, node, Nodes.OVER));
  }

  @Override
  public void close() {
    database.close();
  }
}
