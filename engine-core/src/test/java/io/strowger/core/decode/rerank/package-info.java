@NullMarked
package io.strowger.core.decode.rerank;

import org.jspecify.annotations.NullMarked;
