package io.strowger.stores.batches;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The number and body size of a row, for bounding how much is read at once. */
record Sizes(int number, long bytes) {
  static Sizes of(ResultSet row) throws SQLException {
    return new Sizes(row.getInt(1), row.getLong(2));
  }

  /** Returns the first rows that fit into the bytes, but at least one row if there is any. */
  static List<Sizes> within(List<Sizes> all, long mostBytes) {
    int count = 0;
    long left = mostBytes;
    while (count < all.size() && (count == 0 || all.get(count).bytes <= left)) {
      left -= all.get(count).bytes;
      count++;
    }
    return all.subList(0, count);
  }
}
