// The data channel list of ISO 19848: names, types and units of the channels in its packages. It
// depends on the configuration alone, so that two lists of one ship are equal.

import * as z from "zod";
import {
  channelListId,
  DATA_CHANNELS,
  type DataChannel,
  type ExportSource,
  QUALITY_CODING,
  shipId,
} from "./data-channels.ts";

const text = z.string();

const Property = z.object({
  DataChannelType: z.object({ Type: text }),
  Format: z.object({ Type: text }),
  Unit: z.object({ UnitSymbol: text }).optional(),
  QualityCoding: text.meta({ description: "a package has codes only where something is wrong" }),
  Name: text,
});

const Header = z.object({
  ShipID: text.meta({ description: "IMO number, else the ship's name, else the system's id" }),
  DataChannelListID: z.object({ ID: text, TimeStamp: z.iso.datetime() }),
  VersionInformation: z.object({
    ...{ NamingRule: text, NamingSchemeVersion: text, ReferenceURL: text },
  }),
  Author: text,
});

const DataChannelID = z.object({
  LocalID: text.meta({ description: "name in DNV's VIS, release 3-11a" }),
  ShortID: text.meta({ description: "name in /api/tags, and in packages" }),
});

/** The data channel list of the given channels, as the standard's JSON. */
export function dataChannelList(
  source: ExportSource,
  channels: readonly DataChannel[] = DATA_CHANNELS,
) {
  return {
    Package: {
      Header: {
        ShipID: shipId(source),
        DataChannelListID: channelListId(source),
        VersionInformation: {
          NamingRule: "dnv",
          NamingSchemeVersion: "v2",
          ReferenceURL: "https://docs.vista.dnv.com",
        },
        Author: `ballastd ${source.version}`,
      },
      DataChannelList: {
        DataChannel: channels.map(({ local_id, short_id, type, format, unit, about }) => ({
          DataChannelID: { LocalID: local_id, ShortID: short_id },
          Property: {
            DataChannelType: { Type: type },
            Format: { Type: format },
            ...(unit !== null && { Unit: { UnitSymbol: unit } }),
            QualityCoding: QUALITY_CODING,
            Name: about,
          },
        })),
      },
    },
  };
}

/** The list as the text of its file. */
export function dataChannelListText(source: ExportSource): string {
  return `${JSON.stringify(dataChannelList(source), null, 2)}\n`;
}

const EXAMPLE = { id: "BWTS-001", vessel: "MV Example", imo: "9074729", version: "0.2.0" };

export const DataChannelListAnswer = z
  .object({
    Package: z.object({
      Header,
      DataChannelList: z.object({
        DataChannel: z.array(z.object({ DataChannelID, Property })),
      }),
    }),
  })
  .meta({
    id: "DataChannelList",
    example: dataChannelList(EXAMPLE, DATA_CHANNELS.slice(4, 5)),
  });
