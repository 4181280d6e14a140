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
  private final int modelIndex;
  private final ProviderSort.@Nullable Key sort;
  private final IndexedEndpoint[] elements;
  private final int @Nullable []
      modelIndices; // the requested model of each element; null when all share one
  private int size;
  private int listedCount; // number of leading endpoints that the caller's order placed
  private boolean fixed;

  private Shortlist(
      String modelId,
      int modelIndex,
      ProviderSort.@Nullable Key sort,
      IndexedEndpoint[] elements,
      int @Nullable [] modelIndices) {
    this.modelId = modelId;
    this.modelIndex = modelIndex;
    this.sort = sort;
    this.elements = elements;
    this.modelIndices = modelIndices;
  }

  /**
   * Returns what the rules and narrowers leave of a requested model.
   *
   * @param requestedModel the requested model; must not be the slug of a router
   * @param trace the trace to add dropped endpoints to; null when no trace is made
   */
  static Shortlist of(
      RequestedModel requestedModel,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> trace) {
    ModelEndpoints model = Objects.requireNonNull(requestedModel.model());
    if (trace != null) {
      explain(model, endpointRuleSet.explainer(), trace);
    }
    return of(model, requestedModel, context, endpointRuleSet, trace);
  }

  /**
   * Returns what the rules and narrowers leave of a model, cheapest first. Narrowers also consider
   * permitted endpoints that are cooling down: while the only endpoint that takes tools, or the
   * only one of the requested tier, is cooling down, the request waits or goes to another model,
   * and is not served without its tools or at another tier's price.
   *
   * @param requestedModel the requested model that the model is a candidate for
   */
  static Shortlist of(
      ModelEndpoints model,
      RequestedModel requestedModel,
      RuleContext context,
      EndpointRuleSet endpointRuleSet,
      @Nullable List<TraceEntry> trace) {
    var list =
        new Shortlist(
            model.model().id(),
            requestedModel.index(),
            requestedModel.sort(),
            new IndexedEndpoint[model.size()],
            null);
    for (int place = 0; place < list.elements.length; place++) {
      if (endpointRuleSet.permits(model.endpoint(place))) {
        list.elements[list.size++] = model.indexedEndpoint(place);
      }
    }
    Narrowers.narrow(list, context, trace);
    if (endpointRuleSet.hasCooldowns()) {
      list.dropCoolingDown(endpointRuleSet);
    }
    return list;
  }

  /** Notes which endpoints of a model the rules drop. */
  static void explain(ModelEndpoints model, RuleExplainer rules, List<TraceEntry> trace) {
    for (int place = 0; place < model.size(); place++) {
      rules.explain(model.endpoint(place), trace);
    }
  }

  /** Returns the endpoints a router put in an order that is final. */
  static Shortlist fixed(IndexedEndpoint[] orderedEndpoints, int[] modelIndices) {
    var list = new Shortlist("", 0, null, orderedEndpoints, modelIndices);
    list.size = orderedEndpoints.length;
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
  static Shortlist merge(List<Shortlist> lists) {
    int total = 0;
    ProviderSort.Key sort = lists.get(0).sort;
    for (Shortlist list : lists) {
      total += list.size;
      sort = list.sort == sort ? sort : null;
    }
    var merged = new Shortlist("", 0, sort, new IndexedEndpoint[total], new int[total]);
    for (Shortlist list : lists) {
      for (int i = 0; i < list.size; i++) {
        merged.insert(list.elements[i], list.modelIndex(i));
      }
    }
    return merged;
  }

  /** Inserts an endpoint in order, after those that compare equal. */
  private void insert(IndexedEndpoint element, int insertedModelIndex) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(elements[middle].endpoint(), element.endpoint()) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    System.arraycopy(elements, low, elements, low + 1, size - low);
    elements[low] = element;
    if (modelIndices != null) {
      System.arraycopy(modelIndices, low, modelIndices, low + 1, size - low);
      modelIndices[low] = insertedModelIndex;
    }
    size++;
  }

  private static int compare(Endpoint left, Endpoint right) {
    int byPrice = Long.compare(left.blendedPrice(), right.blendedPrice());
    return byPrice != 0 ? byPrice : left.tag().compareTo(right.tag());
  }

  /** Returns the id of the model whose endpoints these are; empty when there may be several. */
  String modelId() {
    return modelId;
  }

  /** Returns the sort a variant of the model's name asks for; null for none. */
  ProviderSort.@Nullable Key sort() {
    return sort;
  }

  int size() {
    return size;
  }

  IndexedEndpoint indexedEndpoint(int index) {
    return elements[index];
  }

  Endpoint endpoint(int index) {
    return elements[index].endpoint();
  }

  /** Returns the index of the requested model that the endpoint is a candidate for, from 0. */
  int modelIndex(int index) {
    return modelIndices == null ? modelIndex : modelIndices[index];
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

  private void dropCoolingDown(EndpointRuleSet endpointRuleSet) {
    int keptCount = 0;
    for (int i = 0; i < size; i++) {
      if (endpointRuleSet.isUsableNow(endpoint(i))) {
        copyElement(i, keptCount++);
      }
    }
    size = keptCount;
  }

  /** Keeps the endpoints that support a parameter, in their order; all of them if none does. */
  void preferSupporting(long parameter) {
    int keptCount = 0;
    for (int i = 0; i < size; i++) {
      if ((endpoint(i).parameterMask() & parameter) != 0) {
        copyElement(i, keptCount++);
      }
    }
    narrowTo(keptCount);
  }

  /** Keeps the endpoints of a service tier, in their order; all of them if none is of it. */
  void preferTier(int tier) {
    int keptCount = 0;
    for (int i = 0; i < size; i++) {
      if (ServiceTierMask.of(endpoint(i)) == tier) {
        copyElement(i, keptCount++);
      }
    }
    narrowTo(keptCount);
  }

  /** Keeps the endpoints whose context has room for these tokens; all of them if none has. */
  void preferWithContext(long tokens) {
    int keptCount = 0;
    for (int i = 0; i < size; i++) {
      if (!ContextLengthRule.isTooShort(endpoint(i), tokens)) {
        copyElement(i, keptCount++);
      }
    }
    narrowTo(keptCount);
  }

  /** Drops all but the first endpoints; with 0 of them nothing was moved, and all stay. */
  private void narrowTo(int keptCount) {
    size = keptCount == 0 ? size : keptCount;
  }

  /** Keeps the endpoints whose ordinals are not in {@code seen}, and adds these ordinals to it. */
  void keepUnseen(BitSet seen) {
    int keptCount = 0;
    for (int i = 0; i < size; i++) {
      int ordinal = endpoint(i).ordinal();
      if (!seen.get(ordinal)) {
        seen.set(ordinal);
        copyElement(i, keptCount++);
      }
    }
    size = keptCount;
  }

  private void copyElement(int from, int to) {
    elements[to] = elements[from];
    if (modelIndices != null) {
      modelIndices[to] = modelIndices[from];
    }
  }

  /** Returns the endpoints of one model, given by its ordinal in the catalog. */
  Shortlist ofModel(int ordinal) {
    var part =
        new Shortlist(
            modelId,
            modelIndex,
            sort,
            elements.clone(),
            modelIndices == null ? null : modelIndices.clone());
    for (int i = 0; i < size; i++) {
      if (endpoint(i).modelOrdinal() == ordinal) {
        part.elements[part.size] = elements[i];
        if (part.modelIndices != null && modelIndices != null) {
          part.modelIndices[part.size] = modelIndices[i];
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
  void moveForward(int from, int to) {
    IndexedEndpoint element = elements[from];
    System.arraycopy(elements, to, elements, to + 1, from - to);
    elements[to] = element;
    if (modelIndices != null) {
      int movedModelIndex = modelIndices[from];
      System.arraycopy(modelIndices, to, modelIndices, to + 1, from - to);
      modelIndices[to] = movedModelIndex;
    }
  }

  /**
   * Puts the endpoints in the order of these keys, and drops those after the first {@code newSize}.
   * Works in place, one cycle of the permutation after the other.
   *
   * @param keys the sorted keys, one per endpoint, each with the endpoint's current place in the
   *     bits of the mask; those bits are overwritten
   * @param newSize how many endpoints are kept
   */
  void arrange(long[] keys, long mask, int newSize) {
    for (int start = 0; start < newSize; start++) {
      IndexedEndpoint displaced = elements[start];
      int displacedModelIndex = modelIndex(start);
      int to = start;
      int from = (int) (keys[to] & mask);
      while (from != start) {
        copyElement(from, to);
        keys[to] = keys[to] & ~mask | to;
        to = from;
        from = (int) (keys[to] & mask);
      }
      elements[to] = displaced;
      if (modelIndices != null) {
        modelIndices[to] = displacedModelIndex;
      }
      keys[to] = keys[to] & ~mask | to;
    }
    size = newSize;
  }

  void truncate(int maxSize) {
    size = Math.min(size, maxSize);
  }
}
