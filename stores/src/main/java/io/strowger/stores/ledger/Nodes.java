package io.strowger.stores.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore.LostNode;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/**
 * The table of nodes: which are alive, which have ended, how far their journals have arrived, and
 * which slices they left.
 */
final class Nodes {
  /**
   * The id under which the sums of all ended nodes are kept; its own row is that of an ended node.
   */
  static final String ENDED_NODES = "";

  /** A node that ended, or was not seen for half a minute by the database's own clock. */
  private static final String GONE =
      "(n.ended OR n.seen_at < CURRENT_TIMESTAMP - INTERVAL '30' SECOND)";

  private Nodes() {}

  /**
   * Inserts a node that begins, or that a restored database does not know any more. The deliveries
   * of both kinds of its journal items may insert it at the same time. Returns false when the node
   * exists already.
   */
  static boolean insert(Handle handle, String id, String boot) {
    return insert(handle, id, boot, false);
  }

  private static boolean insert(Handle handle, String id, String boot, boolean ended) {
    return handle.execute(
            """
            INSERT INTO ledger_node (id, boot, began_at, seen_at, flushed, recorded, ended)
            VALUES (?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 0, 0, ?)
            ON CONFLICT DO NOTHING
            """,
            id,
            boot,
            ended)
        > 0;
  }

  /**
   * Records that at least the items of one kind before {@code next} have arrived.
   *
   * @param committed what the database had before; where it has less now, it is in an older state
   *     and nothing is changed
   * @return false when the database has less or does not know the node
   */
  static boolean recordArrived(Handle handle, String id, String column, long committed, long next) {
    return handle.execute(
            "UPDATE ledger_node SET "
                + column
                + " = GREATEST("
                + column
                + ", ?) WHERE id = ? AND "
                + column
                + " >= ?",
            next,
            id,
            committed)
        > 0;
  }

  /** Records that the node is alive. */
  static boolean recordHeartbeat(Handle handle, String id) {
    return handle.execute("UPDATE ledger_node SET seen_at = CURRENT_TIMESTAMP WHERE id = ?", id)
        > 0;
  }

  /**
   * Returns the number of the first item that has not arrived; empty when the node is unknown.
   *
   * @param column the {@link JournalSink#column}
   */
  static OptionalLong arrived(Handle handle, String id, String column) {
    return handle
        .select("SELECT " + column + " FROM ledger_node WHERE id = ?", id)
        .mapTo(Long.class)
        .findOne()
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /** Records that items before the next have arrived, unless another transaction did so. */
  static boolean advance(Handle handle, String id, String column, long from, long next) {
    return handle.execute(
            "UPDATE ledger_node SET seen_at = CURRENT_TIMESTAMP, "
                + column
                + " = ? WHERE id = ? AND "
                + column
                + " = ?",
            next,
            id,
            from)
        > 0;
  }

  /**
   * Adds a number, which may be negative, to the bytes of records that are kept for a node.
   *
   * @return false when the node is not known
   */
  static boolean addRecordBytes(Handle handle, String id, long bytes) {
    return bytes == 0
        || handle.execute(
                "UPDATE ledger_node SET record_bytes = record_bytes + ? WHERE id = ?", bytes, id)
            > 0;
  }

  /**
   * Marks a node as ended that may have spent money without recording it; its slices are kept.
   * Returns false when the node is not known.
   */
  static boolean markEnded(Handle handle, String id) {
    return handle.execute("UPDATE ledger_node SET ended = TRUE WHERE id = ?", id) > 0;
  }

  /** Marks a node as ended whose spending is fully known, and frees its slices. */
  static boolean endAndFree(Handle handle, String id) {
    boolean known = markEnded(handle, id);
    handle.execute("DELETE FROM ledger_slice WHERE node = ?", id);
    return known;
  }

  /**
   * Marks an ended node as delivered: all its lines and records are in the database.
   *
   * @return false when the node is not known
   */
  static boolean markDelivered(Handle handle, String id) {
    return handle.execute("UPDATE ledger_node SET delivered = TRUE WHERE id = ? AND ended", id) > 0;
  }

  /** Locks the sums of ended nodes until the transaction ends. */
  static void lockEndedNodes(Handle handle) {
    insert(handle, ENDED_NODES, "", true);
    handle
        .select("SELECT id FROM ledger_node WHERE id = ? FOR UPDATE", ENDED_NODES)
        .mapTo(String.class)
        .one();
  }

  /**
   * Releases the slices of a node at the request of an operator.
   *
   * @param self the node that asks, which is never gone; {@link #ENDED_NODES} for none
   * @return false when there is no such node or it is alive
   */
  static boolean release(Handle handle, String id, String self) {
    if (id.equals(ENDED_NODES)) {
      return false; // not the id of a node
    }
    boolean gone =
        handle
            .select(
                "SELECT n.id FROM ledger_node AS n WHERE n.id = ? AND n.id <> ? AND "
                    + GONE
                    + " FOR UPDATE",
                id,
                self)
            .mapTo(String.class)
            .findOne()
            .isPresent();
    return gone && endAndFree(handle, id);
  }

  /** A slice of a node, and how much of it is not known to be spent. */
  private record SliceRow(String node, Instant seenAt, Posting.Account account, long unspent) {}

  /** Selects the slices of nodes with what is known to be spent; a condition on nodes follows. */
  private static final String SLICES =
      """
      SELECT n.id, n.seen_at, s.payer, s.span, s.granted, COALESCE(p.credits, 0)
        + CASE WHEN s.with_own_keys THEN COALESCE(p.own_keys, 0) ELSE 0 END AS spent
      FROM ledger_node AS n
      JOIN ledger_slice AS s ON s.node = n.id
      LEFT JOIN ledger_spent AS p
        ON p.payer = s.payer AND p.span = s.span AND p.node = s.node
      WHERE n.id <> :self AND
      """;

  /**
   * Returns the nodes that are gone and hold slices of windows that have not ended.
   *
   * @param self the node that asks, which is never gone
   * @param now the time by which windows have ended
   */
  static List<LostNode> lostNodes(Handle handle, String self, Instant now) {
    List<SliceRow> rows =
        handle
            .createQuery(SLICES + GONE + " ORDER BY n.seen_at, n.id")
            .bind("self", self)
            .map((row, context) -> row(row))
            .list();
    var byNode = new LinkedHashMap<String, List<SliceRow>>();
    for (SliceRow row : rows) {
      if (row.unspent() > 0 && !hasEnded(row.account().window(), now)) {
        byNode.computeIfAbsent(row.node(), node -> new ArrayList<>()).add(row);
      }
    }
    var lostNodes = new ArrayList<LostNode>();
    byNode.forEach(
        (id, slices) ->
            lostNodes.add(new LostNode(id, slices.getFirst().seenAt(), maxSpending(slices))));
    return lostNodes;
  }

  /** Returns whether a window has ended, by its name. */
  private static boolean hasEnded(String window, Instant now) {
    for (Period period : Period.values()) {
      String current = period.window(now);
      if (isSamePeriod(current, window)) {
        return window.compareTo(current) < 0;
      }
    }
    return false;
  }

  /** Returns whether two names are of one period: equally long, and different in digits only. */
  private static boolean isSamePeriod(String current, String window) {
    if (current.length() != window.length()) {
      return false;
    }
    for (int i = 0; i < current.length(); i++) {
      char a = current.charAt(i);
      char b = window.charAt(i);
      if (a != b && !(Character.isDigit(a) && Character.isDigit(b))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the nodes that are running or left slices behind, in the order in which they began. */
  static List<NodeRegistry.Node> list(Handle handle, Instant now) {
    var stranded = new HashMap<String, Usd>();
    lostNodes(handle, ENDED_NODES, now)
        .forEach(lostNode -> stranded.put(lostNode.id(), lostNode.granted()));
    List<NodeRegistry.Node> nodes =
        handle
            .createQuery(
                "SELECT n.id, n.began_at, n.seen_at, n.ended, "
                    + GONE
                    + " AS gone FROM ledger_node AS n ORDER BY n.began_at, n.id")
            .map((row, context) -> node(row, stranded))
            .list();
    return nodes.stream().filter(node -> !node.ended() || stranded.containsKey(node.id())).toList();
  }

  private static NodeRegistry.Node node(ResultSet row, Map<String, Usd> stranded)
      throws SQLException {
    String id = row.getString("id");
    return new NodeRegistry.Node(
        id,
        row.getObject("began_at", OffsetDateTime.class).toInstant(),
        row.getObject("seen_at", OffsetDateTime.class).toInstant(),
        row.getBoolean("gone"),
        row.getBoolean("ended"),
        stranded.getOrDefault(id, Usd.ZERO));
  }

  private static SliceRow row(ResultSet row) throws SQLException {
    return new SliceRow(
        row.getString("id"),
        row.getObject("seen_at", OffsetDateTime.class).toInstant(),
        new Posting.Account(row.getString("payer"), row.getString("span")),
        row.getLong("granted") - row.getLong("spent"));
  }

  /**
   * Returns the maximum that may have been spent. A charge is counted in several windows and for
   * payers of several kinds, so only the amounts of payers of one kind are added up.
   */
  private static Usd maxSpending(List<SliceRow> rows) {
    Map<String, Long> byPayer = new LinkedHashMap<>();
    rows.forEach(row -> byPayer.merge(row.account().payer(), row.unspent(), Math::max));
    Map<String, Long> byKind = new LinkedHashMap<>();
    byPayer.forEach((payer, unspent) -> byKind.merge(kind(payer), unspent, Math::addExact));
    Charge max = Charge.ZERO;
    for (long unspent : byKind.values()) {
      max = max.max(Charge.credits(new Usd(unspent)));
    }
    return max.credits();
  }

  private static String kind(String payer) {
    int colon = payer.indexOf(':');
    return colon < 0 ? payer : payer.substring(0, colon);
  }
}
