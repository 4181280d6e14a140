package io.strowger.spi.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the members of an object. A few members are searched one by one, more through an index.
 */
final class JsonMembers {
  private static final int MAX_UNINDEXED = 16;

  private String[] names;
  private Json[] values;
  private boolean isShared; // the arrays belong to an object that was built from them
  private int size;
  private @Nullable HashMap<String, Integer> positions; // once there are more than a few

  JsonMembers() {
    this(MAX_UNINDEXED);
  }

  /**
   * @param capacity how many members fit before the arrays grow
   */
  JsonMembers(int capacity) {
    names = new String[capacity];
    values = new Json[capacity];
  }

  /** Puts a member; a name that is present keeps its position and gets the new value. */
  void put(String name, Json value) {
    Objects.requireNonNull(value, "value");
    if (isShared) {
      names = names.clone();
      values = values.clone();
      isShared = false;
    }
    int position = indexOf(name);
    if (position < 0) {
      position = append(name);
    }
    values[position] = value;
  }

  private int append(String name) {
    if (size == names.length) {
      names = Arrays.copyOf(names, Math.max(MAX_UNINDEXED, size * 2));
      values = Arrays.copyOf(values, Math.max(MAX_UNINDEXED, size * 2));
    }
    names[size] = name;
    if (positions != null) {
      positions.put(name, size);
    }
    return size++;
  }

  private int indexOf(String name) {
    if (size >= MAX_UNINDEXED) {
      return index().getOrDefault(name, -1);
    }
    for (int i = 0; i < size; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private Map<String, Integer> index() {
    HashMap<String, Integer> result = positions;
    if (result == null) {
      result = new HashMap<>();
      for (int i = 0; i < size; i++) {
        result.put(names[i], i);
      }
      positions = result;
    }
    return result;
  }

  Json.Obj object() {
    if (size == names.length) {
      isShared = true;
      return new Json.Obj(names, values, null, 0, 0);
    }
    return new Json.Obj(Arrays.copyOf(names, size), Arrays.copyOf(values, size), null, 0, 0);
  }

  /**
   * Returns whether two objects of the same size have equal members, in any order. Looks at each
   * member once while the order is the same, which it usually is.
   */
  static boolean haveEqualMembers(
      String[] names, Json[] values, String[] otherNames, Json[] otherValues) {
    Map<String, Json> otherMembers = null;
    for (int i = 0; i < names.length; i++) {
      Json otherValue = otherValues[i];
      if (!names[i].equals(otherNames[i])) {
        if (otherMembers == null) {
          otherMembers = byName(otherNames, otherValues);
        }
        otherValue = otherMembers.get(names[i]);
      }
      if (!values[i].equals(otherValue)) {
        return false;
      }
    }
    return true;
  }

  private static Map<String, Json> byName(String[] names, Json[] values) {
    HashMap<String, Json> members = HashMap.newHashMap(names.length);
    for (int i = 0; i < names.length; i++) {
      members.put(names[i], values[i]);
    }
    return members;
  }
}
