/**
 * What the engine costs. Each benchmark answers one question and carries in the same run what the
 * work costs at least, or what somebody else takes for it, because on shared machines only the
 * ratio and the bytes allocated can be trusted.
 */
@NullMarked
package io.strowger.benchmarks;

import org.jspecify.annotations.NullMarked;
