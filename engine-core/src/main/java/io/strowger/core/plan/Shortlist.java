package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.TraceEntry;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The remaining endpoints that are ordered together, in the order they would be tried: those of one
 * model, or of several when the caller wants them compared. Confined to one decision: narrowing and
 * ordering change it in place, so that nothing is copied.
 */
final class Shortlist {
  private final String modelId;
  private final int model;
  private final ProviderSort.@Nullable Key sort;
  private final IndexedEndpoint[] slots;
  private final int @Nullable [] models; // the requested model by slot; null when all share one
  private int size;
  private int listedCount; // number of leading endpoints that the caller's order placed
  private boolean fixed;

  private Shortlist(
      String modelId,
      int model,
      ProviderSort.@Nullable Key sort,
      IndexedEndpoint[] slots,
      int @Nullable [] models) {
    this.modelId = modelId;
    this.model = model;
    this.sort = sort;
    this.slots = slots;
    this.models = models;
  }

  /**
   * Returns what the rules and narrowers leave of a requested model.
   *
   * @param asked the requested model; must not be the slug of a router
   * @param facts the trace to add dropped endpoints to; null when no trace is made
   */
  static Shortlist of(
      RequestedModel asked,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> facts) {
    ModelEndpoints model = Objects.requireNonNull(asked.model());
    if (facts != null) {
      explain(model, endpointRuleSet.each(), facts);
    }
    return of(model, asked, context, endpointRuleSet, facts);
  }

  /**
   * Returns what the rules and narrowers leave of a model, cheapest first. Narrowers also consider
   * permitted endpoints that are cooling down: while the only endpoint that takes tools, or the
   * only one of the requested tier, is cooling down, the request waits or goes to another model,
   * and is not served without its tools or at another tier's price.
   *
   * @param asked the requested model that the model is a candidate for
   */
  static Shortlist of(
      ModelEndpoints model,
      RequestedModel asked,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> facts) {
    var list =
        new Shortlist(
            model.model().id(),
            asked.place(),
            asked.sort(),
            new IndexedEndpoint[model.size()],
            null);
    for (int place = 0; place < list.slots.length; place++) {
      if (endpointRuleSet.permits(model.endpoint(place))) {
        list.slots[list.size++] = model.slot(place);
      }
    }
    Narrowers.narrow(list, context, facts);
    if (endpointRuleSet.hasCooldowns()) {
      list.keepOpen(endpointRuleSet);
    }
    return list;
  }

  /** Notes which endpoints of a model the rules drop. */
  static void explain(ModelEndpoints model, RuleExplainer rules, List<TraceEntry> facts) {
    for (int place = 0; place < model.size(); place++) {
      rules.explain(model.endpoint(place), facts);
    }
  }

  /** Returns the endpoints a router put in an order that is final. */
  static Shortlist fixed(IndexedEndpoint[] inOrder, int[] models) {
    var list = new Shortlist("", 0, null, inOrder, models);
    list.size = inOrder.length;
    list.fixed = true;
    return list;
  }

  /**
   * Returns the endpoints of several models as one list, cheapest first, then by tag and by model.
   * Its sort is the one that the names of all these models ask for; none when they ask for
   * different ones.
   *
   * @param lists the lists to merge; at least one
   */
  static Shortlist merged(List<Shortlist> lists) {
    int total = 0;
    ProviderSort.Key sort = lists.get(0).sort;
    for (Shortlist list : lists) {
      total += list.size;
      sort = list.sort == sort ? sort : null;
    }
    var all = new Shortlist("", 0, sort, new IndexedEndpoint[total], new int[total]);
    for (Shortlist list : lists) {
      for (int i = 0; i < list.size; i++) {
        all.insert(list.slots[i], list.model(i));
      }
    }
    return all;
  }

  /** Inserts an endpoint in order, behind those that compare equal. */
  private void insert(IndexedEndpoint slot, int asModel) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(slots[middle].endpoint(), slot.endpoint()) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(slots, low, slots, low + 1, size - low);
    slots[low] = slot;
    if (models != null) {
      System.arraycopy(models, low, models, low + 1, size - low);
      models[low] = asModel;
    }
    size++;
  }

  private static int compare(Endpoint one, Endpoint other) {
    int byPrice = Long.compare(one.blendedPrice(), other.blendedPrice());
    return byPrice != 0 ? byPrice : one.tag().compareTo(other.tag());
  }

  /** Returns the id of the model whose endpoints these are; empty when there may be several. */
  String name() {
    return modelId;
  }

  /** Returns the sort a variant of the model's name asks for; null for none. */
  ProviderSort.@Nullable Key sort() {
    return sort;
  }

  int size() {
    return size;
  }

  IndexedEndpoint slot(int index) {
    return slots[index];
  }

  Endpoint endpoint(int index) {
    return slots[index].endpoint();
  }

  /** Returns the index of the requested model that the endpoint is a candidate for, from 0. */
  int model(int index) {
    return models == null ? model : models[index];
  }

  /** Returns the number of leading endpoints that the caller's order placed. */
  int listedCount() {
    return listedCount;
  }

  void setListedCount(int count) {
    listedCount = count;
  }

  /** Returns whether a router put the endpoints in an order that is final. */
  boolean isFixed() {
    return fixed;
  }

  private void keepOpen(EndpointRuleSet endpointRuleSet) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (endpointRuleSet.isOpen(endpoint(i))) {
        put(i, kept++);
      }
    }
    size = kept;
  }

  /** Keeps the endpoints that support a parameter, in their order. */
  void keepSupporting(long parameter) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if ((endpoint(i).parameters() & parameter) != 0) {
        put(i, kept++);
      }
    }
    size = kept;
  }

  /**
   * Keeps the endpoints of these service tiers, in their order; bits of {@link ServiceTierMask}.
   */
  void keepTiers(int tiers) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if ((ServiceTierMask.of(endpoint(i)) & tiers) != 0) {
        put(i, kept++);
      }
    }
    size = kept;
  }

  /**
   * Keeps the endpoints whose context length is at least this many tokens or is unknown, in their
   * order.
   */
  void keepHolding(long tokens) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int context = endpoint(i).contextLength();
      if (context == 0 || context >= tokens) {
        put(i, kept++);
      }
    }
    size = kept;
  }

  /** Keeps the endpoints whose ordinals are not in {@code seen}, and adds theirs to it. */
  void keepUnseen(BitSet seen) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int ordinal = endpoint(i).ordinal();
      if (!seen.get(ordinal)) {
        seen.set(ordinal);
        put(i, kept++);
      }
    }
    size = kept;
  }

  private void put(int from, int to) {
    slots[to] = slots[from];
    if (models != null) {
      models[to] = models[from];
    }
  }

  /** Returns the endpoints of one model, given by its ordinal in the catalog. */
  Shortlist ofModel(int ordinal) {
    var part =
        new Shortlist(modelId, model, sort, slots.clone(), models == null ? null : models.clone());
    for (int i = 0; i < size; i++) {
      if (endpoint(i).modelOrdinal() == ordinal) {
        part.slots[part.size] = slots[i];
        if (part.models != null && models != null) {
          part.models[part.size] = models[i];
        }
        part.size++;
      }
    }
    part.fixed = fixed;
    return part;
  }

  /** Returns the index of the endpoint; -1 when it is not in the list. */
  int indexOf(Endpoint endpoint) {
    for (int i = 0; i < size; i++) {
      if (endpoint(i).ordinal() == endpoint.ordinal()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Moves an endpoint from one index to a lower one; the endpoints between them keep their order.
   */
  void advance(int from, int to) {
    IndexedEndpoint slot = slots[from];
    System.arraycopy(slots, to, slots, to + 1, from - to);
    slots[to] = slot;
    if (models != null) {
      int asModel = models[from];
      System.arraycopy(models, to, models, to + 1, from - to);
      models[to] = asModel;
    }
  }

  /**
   * Puts the endpoints in the order of these keys, and drops those behind the first {@code
   * newSize}. Works in place, one cycle of the permutation after the other.
   *
   * @param keys the sorted keys, one per endpoint, each with the endpoint's current place in the
   *     bits of the mask; those bits are overwritten
   * @param front how many endpoints are kept
   */
  void arrange(long[] keys, long mask, int front) {
    for (int start = 0; start < front; start++) {
      IndexedEndpoint displaced = slots[start];
      int asModel = model(start);
      int to = start;
      int from = (int) (keys[to] & mask);
      while (from != start) {
        put(from, to);
        keys[to] = keys[to] & ~mask | to;
        to = from;
        from = (int) (keys[to] & mask);
      }
      slots[to] = displaced;
      if (models != null) {
        models[to] = asModel;
      }
      keys[to] = keys[to] & ~mask | to;
    }
    size = front;
  }

  void truncate(int most) {
    size = Math.min(size, most);
  }
}
