// The page Operations: the list of operations, or one of them with its verdict and the evidence.
// Its script is loaded when it is first opened.

import "./operations.css";
import { type PageProps, page } from "../parts/page.tsx";
import { OneOperation } from "./one-operation.tsx";
import { OperationList } from "./operation-list.tsx";
import { OPERATIONS_VIEW } from "./view.ts";

export const operationsPage = page(OPERATIONS_VIEW, Operations);

function Operations({ view, change }: PageProps<typeof OPERATIONS_VIEW>) {
  const { id } = view;
  if (id === null) return <OperationList view={view} change={change} />;
  return <OneOperation key={id} id={id} view={view} change={change} />;
}
