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
  private static final int FEW = 16;

  private String[] names;
  private Json[] values;
  private boolean shared; // the arrays belong to an object that was built from them
  private int size;
  private @Nullable HashMap<String, Integer> places; // once there are more than a few

  JsonMembers() {
    this(FEW);
  }

  /**
   * @param room how many members fit before the arrays grow
   */
  JsonMembers(int room) {
    names = new String[room];
    values = new Json[room];
  }

  /** Puts a member; a name that is present keeps its position and gets the new value. */
  void put(String name, Json value) {
    Objects.requireNonNull(value, "value");
    if (shared) {
      names = names.clone();
      values = values.clone();
      shared = false;
    }
    int at = place(name);
    if (at < 0) {
      at = append(name);
    }
    values[at] = value;
  }

  private int append(String name) {
    if (size == names.length) {
      names = Arrays.copyOf(names, Math.max(FEW, size * 2));
      values = Arrays.copyOf(values, Math.max(FEW, size * 2));
    }
    names[size] = name;
    if (places != null) {
      places.put(name, size);
    }
    return size++;
  }

  private int place(String name) {
    if (size >= FEW) {
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
    HashMap<String, Integer> known = places;
    if (known == null) {
      known = new HashMap<>();
      for (int i = 0; i < size; i++) {
        known.put(names[i], i);
      }
      places = known;
    }
    return known;
  }

  Json.Obj object() {
    if (size == names.length) {
      shared = true;
      return new Json.Obj(names, values, null, 0, 0);
    }
    return new Json.Obj(Arrays.copyOf(names, size), Arrays.copyOf(values, size), null, 0, 0);
  }

  /**
   * Returns whether two objects of the same size have equal members, in any order. Looks at each
   * member once while the order is the same, which it usually is.
   */
  static boolean same(String[] names, Json[] values, String[] otherNames, Json[] otherValues) {
    Map<String, Json> others = null;
    for (int i = 0; i < names.length; i++) {
      Json other = otherValues[i];
      if (!names[i].equals(otherNames[i])) {
        if (others == null) {
          others = byName(otherNames, otherValues);
        }
        other = others.get(names[i]);
      }
      if (!values[i].equals(other)) {
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
