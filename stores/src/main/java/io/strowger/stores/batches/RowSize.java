package io.strowger.stores.batches;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The number and body size of a row, for bounding how much is read at once. */
record RowSize(int number, long bytes) {
  static RowSize of(ResultSet row) throws SQLException {
    return new RowSize(row.getInt(1), row.getLong(2));
  }

  /** Returns the first rows that fit into the bytes, but at least one row if there is any. */
  static List<RowSize> fitting(List<RowSize> sizes, long maxBytes) {
    int count = 0;
    long remaining = maxBytes;
    while (count < sizes.size() && (count == 0 || sizes.get(count).bytes <= remaining)) {
      remaining -= sizes.get(count).bytes;
      count++;
    }
    return sizes.subList(0, count);
  }
}
