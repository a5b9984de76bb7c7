// Names of one port: old and new ones, those of other languages, and codes of UN/LOCODE, as
// officers and plants write them. The first name of a line stands for all. A name that isn't here
// is compared as it is written.

const LINES = `
busan pusan krpus
incheon inchon krinc
gwangyang kwangyang krkan
ulsan krusn
singapore singapur singapour singapura sgsin
shanghai cnsha
ningbo cnngb
qingdao tsingtao cntao
tianjin tientsin cntxg
dalian dairen cndlc
xiamen amoy cnxmn
guangzhou canton cncan
hong kong|hongkong|hkhkg
kaohsiung gaoxiong twkhh
keelung jilong chilung twkel
yokohama jpyok
kobe jpukb
nagoya jpngo
tokyo tokio jptyo
osaka jposa
ho chi minh|ho chi minh city|saigon|vnsgn
hai phong|haiphong|vnhph
manila manille phmnl
port klang|klang|port kelang|kelang|mypkg
tanjung pelepas|ptp|mytpp
penang|pulau pinang|george town penang|mypen
jakarta|tanjung priok|idjkt
yangon rangoon mmrgn
chattogram chittagong bdcgp
kolkata calcutta inccu
mumbai bombay inbom
nhava sheva|jawaharlal nehru|jnpt|innsa
chennai madras inmaa
kochi cochin incok
visakhapatnam|vizag|inviz
colombo lkcmb
jebel ali|mina jebel ali|aejea
fujairah aefjr
jeddah jiddah djedda sajed
durban zadur
cape town|kaapstad|le cap|ciudad del cabo|zacpt
alexandria alexandrie alejandria iskandariya egaly
port said|bur said|egpsd
suez|as suways|egsuz
algiers alger argel dzalg
tangier tanger tangiers
tanger med|tangier med|maptm
istanbul estambul constantinople trist
izmir smyrna trizm
piraeus pireas peiraias piree pireo grpir
thessaloniki salonica salonika grskg
constanta constantza constanza rocnd
odesa odessa uaods
novorossiysk novorossisk ruvvs
gdansk danzig plgdn
saint petersburg|st petersburg|sankt peterburg|ruled
gothenburg goteborg gotemburgo segot
copenhagen kobenhavn copenhague dkcph
hamburg hambourg hamburgo deham
bremerhaven debrv
rotterdam nlrtm
amsterdam nlams
vlissingen|flushing|nlvli
antwerp antwerpen anvers amberes beanr
ghent gent gand gante
dunkirk dunkerque dunquerque frdkk
le havre|havre|frleh
marseille marseilles marsella frmrs
fos|fos sur mer|frfos
london londres gblon
felixstowe gbfxt
lisbon lisboa lisbonne ptlis
porto oporto
la coruna|coruna|a coruna|corunna|eslcg
algeciras esalg
barcelona barcelone esbcn
valencia valence esvlc
genoa genova genes itgoa
leghorn livorno livourne itliv
naples napoli napoles itnap
venice venezia venise venecia itvce
trieste ittrs
taranto tarente
new york|nueva york|usnyc
new orleans|nouvelle orleans|nueva orleans|usmsy
los angeles|la port|uslax
long beach|uslgb
houston ushou
savannah ussav
vancouver cavan
veracruz mxver
cartagena de indias|cartagena colombia|coctg
buenos aires|arbue
rio de janeiro|rio|brrio
santos brssz
callao pecll
valparaiso clvap
panama|panama city|ciudad de panama
sydney ausyd
melbourne aumel
fremantle aufre
port hedland|auphe
`;

/** Words of countries and of places within a port: they say nothing of which port it is. */
export const COUNTRY_WORDS: ReadonlySet<string> = new Set(
  (
    "korea rok kr kor japan jp jpn china prc cn chn taiwan tw vietnam vn vnm philippines ph " +
    "phl malaysia my mys indonesia id idn india in ind bangladesh bd pakistan pk uae ae " +
    "oman egypt eg egy turkey turkiye tr tur greece gr grc italy it ita italia spain espana " +
    "es esp portugal pt prt france fr fra belgium be bel netherlands holland nl nld germany " +
    "de deu deutschland denmark dk dnk sweden se swe norway no nor poland pl pol russia ru " +
    "rus ukraine ua ukr romania ro rou uk gb gbr england scotland wales ireland ie irl usa " +
    "us united states kingdom america canada ca can mexico mx mex brazil brasil br bra " +
    "argentina ar arg chile cl chl peru pe per colombia co col australia au aus zealand nz " +
    "nzl africa za zaf south north republic tx texas la california nj ny wa sg"
  ).split(" "),
);

const NAMES: ReadonlyMap<string, string> = new Map(
  LINES.trim()
    .split("\n")
    .flatMap((line) => {
      const names = line.split(line.includes("|") ? "|" : " ");
      return names.map((name): [string, string] => [name, names[0]]);
    }),
);

/** The name that stands for all of a port's; null for a port that isn't listed. */
export function portName(name: string): string | null {
  return NAMES.get(name) ?? null;
}
